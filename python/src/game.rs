//! Opens, solves and queries games.

use std::ffi::CString;
use std::iter::repeat_n;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use retrograde_draw::{BoardStyle, DrawError, Size, Theme, Words, board};
use retrograde_explore::export::{DrawRule, EvaluationOptions, RowsFormat};
use retrograde_explore::{
    AnyGame, Error, Loader, OpenGame, Positions, ROUTES, Registry, RequestLimits, Resources, Scene,
    SearchLimits, SolveOptions, TableFolders, read_turn, turn_on_board,
};
use retrograde_game::{GridSquare, Knowledge, Outcome, Seat};
use retrograde_solve::Progress;
use serde::Serialize;
use serde_json::json;

use crate::error::{exception, raised, refused};
use crate::waiting::wait;

/// Positions of a batch between two checks for signals.
const CHUNK: usize = 1 << 14;

/// The code of an unknown outcome, as in data sets.
const UNKNOWN: i8 = 2;

/// No limits, since requests come from the same machine.
const LIMITS: RequestLimits =
    RequestLimits { found: u64::MAX, puzzles: u64::MAX, line: u64::MAX, page: u64::MAX, batch: usize::MAX };

fn registry() -> Registry {
    retrograde_games::registry()
}

fn find(py: Python<'_>, name: &str) -> PyResult<Arc<AnyGame>> {
    registry().find(name, &Loader::disk()).map_err(|error| raised(py, error))
}

/// An answer as JSON, with its fields in documented order.
fn json_text(answer: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(answer)
        .map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))
}

/// Parses a player.
fn seat(py: Python<'_>, word: &str) -> PyResult<Seat> {
    match word {
        "first" => Ok(Seat::First),
        "second" => Ok(Seat::Second),
        other => {
            let detail = format!("`to_move` must be `first` or `second`, not {other:?}");
            Err(exception(py, "usage", &detail, Some(other.to_owned()), None))
        }
    }
}

fn options(threads: Option<usize>, memory: Option<u64>, again: bool) -> SolveOptions {
    let usual = SolveOptions::default();
    SolveOptions { threads: threads.unwrap_or(usual.threads).max(1), memory, again, ..usual }
}

/// The examples of all families as JSON, as in `retrograde games --json`.
#[pyfunction]
pub(crate) fn list_games(py: Python<'_>) -> PyResult<String> {
    let registry = registry();
    let mut games = Vec::new();
    for example in registry.families.iter().flat_map(|family| &family.examples) {
        let game = registry.find(example, &Loader::none()).map_err(|error| raised(py, error))?;
        games.push(game.about());
    }
    json_text(&games)
}

/// The cost of solving a game, as in `retrograde plan --json`.
#[pyfunction]
pub(crate) fn plan_game(
    py: Python<'_>,
    name: &str,
    in_memory: bool,
    threads: Option<usize>,
    memory: Option<u64>,
) -> PyResult<String> {
    let game = find(py, name)?;
    let options = SolveOptions { in_memory, ..options(threads, memory, false) };
    json_text(&py.detach(|| game.plan(&options)))
}

/// The folders of an argument `tables`; the default folders if it is empty.
fn folders(tables: Vec<PathBuf>) -> TableFolders {
    TableFolders::named(tables, "`tables`")
}

/// The error about a missing folder in `tables` or the environment, if any.
#[pyfunction]
pub(crate) fn missing_folder(tables: Vec<PathBuf>) -> Option<String> {
    folders(tables).check().err().map(|error| error.to_string())
}

/// Opens a game, with its table if `tables` has one.
#[pyfunction]
pub(crate) fn open_game(py: Python<'_>, name: &str, tables: Option<Vec<PathBuf>>) -> PyResult<Game> {
    let game = find(py, name)?;
    let open = py.detach(|| match tables {
        Some(tables) => folders(tables).explore(&game),
        // An empty storage has no tables.
        None => {
            let storage = Arc::new(retrograde_table::MemoryStorage::default());
            game.explore_in(storage, std::path::Path::new("tables"))
        }
    });
    let open = open.map_err(|error| raised(py, error))?;
    for note in open.notes() {
        let note = CString::new(retrograde_game::printable(&note).into_owned()).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &note, 2)?;
    }
    Ok(Game { open })
}

/// Solves a game into `tables` or in memory, and opens it. Also returns the result of solving, as in
/// `retrograde solve --json`.
#[pyfunction]
pub(crate) fn solve_game(
    py: Python<'_>,
    name: &str,
    tables: Option<Vec<PathBuf>>,
    means: (Option<usize>, Option<u64>, bool),
    listener: Option<Bound<'_, PyAny>>,
) -> PyResult<(Game, String)> {
    let game = find(py, name)?;
    let (threads, memory, again) = means;
    let options = SolveOptions { wait: true, ..options(threads, memory, again) };
    let tables = tables.map(folders);
    let solved = wait(py, listener.as_ref(), |watched| match &tables {
        Some(tables) => {
            let folder = tables.for_solving(&game, &options)?;
            let solved = game.solve(folder, &options, watched)?;
            Ok((game.explore(folder)?, solved))
        }
        None => {
            let open = game.solve_in_memory(&options, watched)?;
            let solved = open.statistics()?;
            Ok((open, solved))
        }
    })?;
    let (open, solved) = solved.map_err(|error| raised(py, error))?;
    Ok((Game { open }, json_text(&solved)?))
}

/// A copied batch of positions, so that no other thread can change it.
enum Batch {
    Indices(Vec<u64>),
    /// Planes, with the number of bytes of a position.
    Planes(Vec<u8>, usize),
    Texts(Vec<String>),
}

impl Batch {
    fn len(&self) -> usize {
        match self {
            Batch::Indices(indices) => indices.len(),
            Batch::Planes(planes, size) => planes.len() / size,
            Batch::Texts(texts) => texts.len(),
        }
    }

    fn part(&self, from: usize, to: usize) -> Positions<'_> {
        match self {
            Batch::Indices(indices) => Positions::Indices(&indices[from..to]),
            Batch::Planes(planes, size) => Positions::Planes(&planes[from * size..to * size]),
            Batch::Texts(texts) => Positions::Texts(&texts[from..to]),
        }
    }
}

/// An open game. Arguments are texts and numbers; results are JSON and arrays.
#[pyclass(frozen, module = "retrograde._retrograde")]
pub(crate) struct Game {
    pub(crate) open: OpenGame,
}

impl Game {
    fn batch(&self, py: Python<'_>, positions: &Bound<'_, PyAny>) -> PyResult<Batch> {
        if let Ok(indices) = positions.extract::<PyReadonlyArray1<'_, u64>>() {
            return Ok(Batch::Indices(indices.as_slice()?.to_vec()));
        }
        if let Ok(planes) = positions.extract::<PyReadonlyArray1<'_, u8>>() {
            return match self.open.row_shape().size() {
                0 => {
                    let detail = format!("{} has no planes", self.open.name());
                    Err(exception(py, "unsupported", &detail, None, None))
                }
                size => Ok(Batch::Planes(planes.as_slice()?.to_vec(), size)),
            };
        }
        Ok(Batch::Texts(positions.extract::<Vec<String>>()?))
    }

    /// The picture of a position, optionally with a turn. If the side to move is placing its pieces, the first of
    /// them are on the squares `placed`, numbered row by row from the top.
    fn scene(
        &self,
        position: &str,
        to_move: Seat,
        turn: Option<&str>,
        placed: &[usize],
    ) -> Result<Scene, Error> {
        let turns: Vec<String> = turn.into_iter().map(str::to_owned).collect();
        let mut scene = self.open.scenes(position, to_move, &turns)?.swap_remove(0);
        let pieces = self.open.pieces_to_place(position, to_move)?;
        let pieces = pieces.into_iter().flat_map(|(piece, count)| repeat_n(piece, count));
        let columns = usize::from(scene.picture.columns);
        for (&square, piece) in placed.iter().zip(pieces) {
            let place = GridSquare { column: (square % columns) as u16, row: (square / columns) as u16 };
            scene.picture.put(place, Some(piece));
        }
        Ok(scene)
    }

    /// Processes a batch of positions in chunks without the GIL, and checks for signals in between.
    fn each_part(
        &self,
        py: Python<'_>,
        batch: &Batch,
        mut work: impl FnMut(&OpenGame, &Positions<'_>) -> Result<(), Error> + Send,
    ) -> PyResult<()> {
        let mut from = 0;
        while from < batch.len() {
            let to = batch.len().min(from + CHUNK);
            py.detach(|| work(&self.open, &batch.part(from, to))).map_err(|error| match error {
                Error::Item { number, error } => raised(py, Error::Item { number: number + from, error }),
                error => raised(py, error),
            })?;
            py.check_signals()?;
            from = to;
        }
        Ok(())
    }
}

#[pymethods]
impl Game {
    /// A JSON object that describes the game.
    fn about(&self) -> String {
        let open = &self.open;
        let shape = open.row_shape();
        let value = json!({
            "game": open.name(),
            "title": open.entry.title,
            "summary": open.entry.summary,
            "start": open.start(),
            "table": open.has_table(),
            "horizon": open.facts().and_then(|facts| facts.horizon).map(|turns| turns.0),
            "known": open.entry.known,
            "planes": shape.planes,
            "plane_shape": [shape.planes.len(), shape.rows, shape.columns],
        });
        value.to_string()
    }

    /// The number of positions of the table.
    fn count(&self, py: Python<'_>) -> PyResult<u64> {
        self.open.row_count().map_err(|error| raised(py, error))
    }

    /// Answers a request of the HTTP interface, given by its name and parameters.
    fn ask(
        &self,
        py: Python<'_>,
        name: &str,
        params: Vec<(String, String)>,
        limits: (u64, f64),
        body: &[u8],
    ) -> PyResult<String> {
        let Some(route) = ROUTES.iter().find(|route| route.name == name) else {
            return Err(exception(py, "usage", &format!("there is no request called {name}"), None, None));
        };
        let request = route.request(&params, body, &LIMITS).map_err(|problem| refused(py, problem))?;
        let (nodes, seconds) = limits;
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        let limits = SearchLimits { nodes, time, depth: None };
        // These are answered at once, with a table or without a search; searches and scans may take long, and
        // starting a thread for them takes longer than a short answer.
        let quick = match name {
            "position" | "line" | "stats" => self.open.has_table(),
            "steps" => nodes == 0,
            _ => false,
        };
        let reply = match quick {
            true => py.detach(|| request.reply(&self.open, &limits)),
            false => {
                wait(py, None, |watched| watched.bounds().within(|| request.reply(&self.open, &limits)))?
            }
        };
        let json = reply.map_err(|error| raised(py, error))?.json;
        String::from_utf8(json).map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))
    }

    /// The text of the position after a turn, and the player to move. With `on_board` the turn is in the
    /// coordinates of the board; otherwise in these or the mover's, which take precedence.
    fn play(
        &self,
        py: Python<'_>,
        position: &str,
        to_move: &str,
        turn: &str,
        on_board: bool,
    ) -> PyResult<(String, &'static str)> {
        let mover = seat(py, to_move)?;
        let played = py.detach(|| {
            let (_, next) = read_turn(&self.open, position, mover, turn, on_board)?;
            let mover = self.open.to_move(&next, mover.other())?;
            Ok((next, mover.word()))
        });
        played.map_err(|error| raised(py, error))
    }

    /// The player to move in a position: `to_move`, unless the position determines it.
    fn to_move(&self, py: Python<'_>, position: &str, to_move: &str) -> PyResult<&'static str> {
        let mover = self.open.to_move(position, seat(py, to_move)?);
        mover.map(Seat::word).map_err(|error| raised(py, error))
    }

    /// The turns with the positions after them, without values.
    fn legal_turns(&self, py: Python<'_>, position: &str) -> PyResult<Vec<(String, String)>> {
        py.detach(|| self.open.turns(position)).map_err(|error| raised(py, error))
    }

    /// The outcome, if the game is over.
    fn over(&self, py: Python<'_>, position: &str) -> PyResult<Option<&'static str>> {
        let over = py.detach(|| self.open.over(position)).map_err(|error| raised(py, error))?;
        Ok(over.map(Outcome::word))
    }

    /// The canonical text of a position.
    fn canonical(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        self.open.canonical(position).map_err(|error| raised(py, error))
    }

    /// A position as the first player sees it, and the pieces that are already placed, as in [`Game::scene`].
    fn board(&self, py: Python<'_>, position: &str, to_move: &str, placed: Vec<usize>) -> PyResult<String> {
        let scene =
            self.scene(position, seat(py, to_move)?, None, &placed).map_err(|error| raised(py, error))?;
        Ok(retrograde_draw::text::board(&scene.picture, &scene.marks, false))
    }

    /// The text of a position as the first player sees it.
    fn board_text(&self, py: Python<'_>, position: &str, to_move: &str) -> PyResult<String> {
        self.open.board_text(position, seat(py, to_move)?).map_err(|error| raised(py, error))
    }

    /// A turn as the first player sees it.
    fn turn_on_board(&self, py: Python<'_>, position: &str, to_move: &str, turn: &str) -> PyResult<String> {
        let seat = seat(py, to_move)?;
        turn_on_board(&self.open, position, seat, turn).map_err(|error| raised(py, error))
    }

    /// A picture of a position, optionally with a turn, or with pieces that are already placed.
    fn svg(
        &self,
        py: Python<'_>,
        position: &str,
        to_move: &str,
        turn: Option<&str>,
        theme: &str,
        placed: Vec<usize>,
    ) -> PyResult<String> {
        let Some(theme) = Theme::from_word(theme) else {
            let detail = format!("`theme` must be `light` or `dark`, not {theme:?}");
            return Err(exception(py, "usage", &detail, Some(theme.to_owned()), None));
        };
        let scene =
            self.scene(position, seat(py, to_move)?, turn, &placed).map_err(|error| raised(py, error))?;
        let style = BoardStyle { theme, ..BoardStyle::default() };
        let words =
            Words { title: Some(self.open.name().to_owned()), description: None, caption: scene.turn };
        Ok(board::svg(&scene.picture, &style, &scene.marks, &words))
    }

    /// Outcomes and turns to the end of many positions.
    #[expect(clippy::type_complexity, reason = "two arrays, as Python receives them")]
    fn values<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<i32>>)> {
        let batch = self.batch(py, positions)?;
        let (mut outcomes, mut turns) = (Vec::with_capacity(batch.len()), Vec::with_capacity(batch.len()));
        self.each_part(py, &batch, |open, positions| {
            open.values_of(positions, &mut |knowledge| {
                let (outcome, turn) = numbers(knowledge);
                outcomes.push(outcome);
                turns.push(turn);
            })
        })?;
        Ok((outcomes.into_pyarray(py), turns.into_pyarray(py)))
    }

    /// Indices of many positions; −1 for positions without an index.
    fn indices<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let batch = self.batch(py, positions)?;
        let mut indices = Vec::with_capacity(batch.len());
        self.each_part(py, &batch, |open, positions| {
            open.indices_of(positions, &mut |index| {
                indices.push(index.and_then(|index| i64::try_from(index).ok()).unwrap_or(-1));
            })
        })?;
        Ok(indices.into_pyarray(py))
    }

    /// Planes of many positions as the first player sees them, one after the other.
    fn planes<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        to_move: &str,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let (batch, to_move) = (self.batch(py, positions)?, seat(py, to_move)?);
        let mut planes = Vec::new();
        self.each_part(py, &batch, |open, positions| {
            open.planes_of(positions, to_move, &mut |one| planes.extend_from_slice(one))
        })?;
        Ok(planes.into_pyarray(py))
    }

    /// Texts of many positions.
    fn texts(&self, py: Python<'_>, positions: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let batch = self.batch(py, positions)?;
        let mut texts = Vec::with_capacity(batch.len());
        self.each_part(py, &batch, |open, positions| open.texts_of(positions, &mut |text| texts.push(text)))?;
        Ok(texts)
    }

    /// Distinct random indices of the table.
    fn sample<'py>(&self, py: Python<'py>, count: u64, seed: u64) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let found =
            wait(py, None, |watched| watched.bounds().within(|| self.open.random_indices(count, seed)))?;
        Ok(found.map_err(|error| raised(py, error))?.into_pyarray(py))
    }

    /// Writes an evaluation set to a new folder.
    fn write_evaluation(
        &self,
        py: Python<'_>,
        out: PathBuf,
        positions: u64,
        seed: u64,
        rules: Vec<String>,
    ) -> PyResult<()> {
        let mut named = Vec::new();
        for rule in rules {
            let Some(known) = DrawRule::ALL.into_iter().find(|known| known.word() == rule) else {
                let detail = format!("`rules` must be `depth`, `only-move` or `balanced`, not {rule:?}");
                return Err(exception(py, "usage", &detail, Some(rule), None));
            };
            named.push(known);
        }
        let options =
            EvaluationOptions { positions, seed, rules: named, formats: vec![RowsFormat::JsonLines] };
        let written = wait(py, None, |watched| {
            watched
                .bounds()
                .within(|| self.open.export_evaluation(&out, &options, &mut |_| !Progress::stopped(watched)))
        })?;
        written.map(|_| ()).map_err(|error| raised(py, error))
    }

    /// Writes an opening book to a file.
    fn write_book(&self, py: Python<'_>, out: PathBuf, plies: u32) -> PyResult<()> {
        let written = wait(py, None, |watched| {
            watched
                .bounds()
                .within(|| self.open.export_book(&out, plies, &mut |_| !Progress::stopped(watched)))
        })?;
        written.map(|_| ()).map_err(|error| raised(py, error))
    }

    /// Checks the files and recomputes values: for `sample` random positions, or all.
    fn verify(
        &self,
        py: Python<'_>,
        sample: Option<u64>,
        threads: Option<usize>,
        memory: Option<u64>,
    ) -> PyResult<String> {
        let threads = options(threads, memory, false).threads;
        let found =
            wait(py, None, |watched| self.open.verify(sample, &Resources::new(threads, memory, watched)))?;
        json_text(&found.map_err(|error| raised(py, error))?)
    }

    /// The number of ways to play exactly `depth` turns.
    fn perft(&self, py: Python<'_>, position: &str, depth: u32) -> PyResult<u128> {
        let found = wait(py, None, |watched| self.open.perft(position, depth, &SearchLimits::NONE, watched))?;
        found.map(|(leaves, _)| leaves).map_err(|error| raised(py, error))
    }
}

/// Outcome and turns, as in data sets.
fn numbers(knowledge: Knowledge) -> (i8, i32) {
    let outcome = match knowledge.outcome() {
        Some(Outcome::Win) => 1,
        Some(Outcome::Draw) => 0,
        Some(Outcome::Loss) => -1,
        None => UNKNOWN,
    };
    (outcome, knowledge.turns().map_or(-1, |turns| turns.0.into()))
}

/// A picture as a PNG file, `width` pixels wide.
#[pyfunction]
pub(crate) fn png<'py>(py: Python<'py>, svg: &str, width: u32) -> PyResult<Bound<'py, PyBytes>> {
    let made = py.detach(|| retrograde_draw::png(svg, Size::Width(width)));
    made.map(|bytes| PyBytes::new(py, &bytes)).map_err(|error| refused_drawing(py, &error))
}

/// The pixels of a picture: height, width, and red, green and blue of each, row by row from the top.
#[pyfunction]
pub(crate) fn pixels<'py>(
    py: Python<'py>,
    svg: &str,
    width: u32,
) -> PyResult<(u32, u32, Bound<'py, PyArray1<u8>>)> {
    let made = py.detach(|| retrograde_draw::rgb(svg, Size::Width(width)));
    let made = made.map_err(|error| refused_drawing(py, &error))?;
    Ok((made.height, made.width, made.rgb.into_pyarray(py)))
}

fn refused_drawing(py: Python<'_>, error: &DrawError) -> PyErr {
    exception(py, "usage", &error.to_string(), None, None)
}
