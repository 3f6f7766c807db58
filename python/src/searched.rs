//! Games defined by Python objects: a search from the start lists their positions, and the resulting graph
//! is solved like any other game.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use retrograde_explore::{Entry, SolveOptions};
use retrograde_game::{Outcome, Seat};

use self::Documented::{Number, Other, Word};

use crate::error::{exception, raised};
use crate::game::Game;
use crate::graph::{Graph, Lists, Node};
use crate::waiting::wait;

/// Positions between two calls of the listener.
const REPORT_EVERY: usize = 1 << 12;

/// The positions found by a search.
struct Search<'py> {
    game: Bound<'py, PyAny>,
    positions: Bound<'py, PyList>,
    numbers: Bound<'py, PyDict>,
    limit: usize,
}

impl<'py> Search<'py> {
    /// The number of a position; a new position gets the next one.
    fn number(&self, position: &Bound<'py, PyAny>) -> PyResult<Node> {
        position.hash().map_err(|error| match error.is_instance_of::<PyTypeError>(self.game.py()) {
            true => usage(position, &format!("positions must be hashable, and {} is not", shown(position))),
            false => error,
        })?;
        if let Some(number) = self.numbers.get_item(position)? {
            return number.extract();
        }
        let number = self.positions.len();
        if number >= self.limit {
            let detail = format!("stopped after {number} positions (`limit`)");
            return Err(exception(self.game.py(), "too-large", &detail, None, None));
        }
        self.numbers.set_item(position, number)?;
        self.positions.append(position)?;
        Ok(number as Node)
    }

    /// The outcome for the side to move, if the game is over in a position.
    fn result(&self, position: &Bound<'py, PyAny>) -> PyResult<Option<Outcome>> {
        let result = self.game.call_method1("result", (position,))?;
        if result.is_none() { Ok(None) } else { outcome("result", &result).map(Some) }
    }

    /// The player to move, if the game defines it.
    fn seat(&self, position: &Bound<'py, PyAny>) -> PyResult<Seat> {
        let value = self.game.call_method1("to_move", (position,))?;
        let found = match documented(&value) {
            Word(word) if word == "first" => Some(Seat::First),
            Word(word) if word == "second" => Some(Seat::Second),
            Number(0) => Some(Seat::First),
            Number(1) => Some(Seat::Second),
            _ => None,
        };
        found.ok_or_else(|| {
            let detail =
                format!("`to_move` must be \"first\" or \"second\", or 0 or 1, not {}", shown(&value));
            usage(&value, &detail)
        })
    }

    /// The positions after the turns of a position.
    fn after(&self, position: &Bound<'py, PyAny>) -> PyResult<Vec<Node>> {
        let no_pairs = |found: &Bound<'py, PyAny>| {
            let found_text = shown(found);
            let detail =
                format!("`turns` must return pairs of a turn and the position after it, not {found_text}");
            usage(found, &detail)
        };
        let mut after = Vec::new();
        let turns = self.game.call_method1("turns", (position,))?;
        for pair in turns.try_iter().map_err(|_| no_pairs(&turns))? {
            let pair = pair?;
            let parts = pair.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>();
            let (_, next) = parts.map_err(|_| no_pairs(&pair))?;
            after.push(self.number(&next)?);
        }
        Ok(after)
    }
}

/// A value returned by rules.
enum Documented {
    Word(String),
    Number(i64),
    Other,
}

/// Reads a word or a whole number. Bools are rejected, although Python accepts them as numbers.
fn documented(value: &Bound<'_, PyAny>) -> Documented {
    // Python's type, and both names of NumPy's.
    if value.get_type().name().is_ok_and(|name| name == "bool" || name == "bool_") {
        return Other;
    }
    match (value.extract::<String>(), value.extract::<i64>()) {
        (Ok(word), _) => Word(word),
        (_, Ok(number)) => Number(number),
        _ => Other,
    }
}

/// Parses an outcome, as a word or a number, which `name` returned.
fn outcome(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Outcome> {
    let found = match documented(value) {
        Word(word) => Outcome::from_word(&word),
        Number(1) => Some(Outcome::Win),
        Number(-1) => Some(Outcome::Loss),
        Number(0) => Some(Outcome::Draw),
        _ => None,
    };
    found.ok_or_else(|| {
        let value_text = shown(value);
        let detail = format!(
            "`{name}` must be \"win\", \"loss\" or \"draw\" for the side to move, or 1, -1 or 0, not {value_text}"
        );
        usage(value, &detail)
    })
}

/// Python's `repr` of a value.
fn shown(value: &Bound<'_, PyAny>) -> String {
    value.repr().map_or_else(|_| "a value without a repr".to_owned(), |text| text.to_string())
}

fn usage(value: &Bound<'_, PyAny>, detail: &str) -> PyErr {
    exception(value.py(), "usage", detail, Some(shown(value)), None)
}

/// A graph for Python: where the list of each position begins in the second array, which has the positions
/// after its turns; the outcome if the game is over (2: it is not); the player to move, or nothing if the
/// players alternate; and the outcome for a player who has no turn.
type GraphParts<'py> = (
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<Node>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<u8>>,
    i8,
);

/// The number of a position in which the game is not over.
const NOT_OVER: i8 = 2;

/// Searches a game from its start. Returns the list of its positions, a dictionary of their numbers, and the
/// graph for [`solve_graph`].
#[pyfunction]
pub(crate) fn search<'py>(
    py: Python<'py>,
    game: Bound<'py, PyAny>,
    start: Bound<'py, PyAny>,
    without_turns: Bound<'py, PyAny>,
    limit: usize,
    listener: Option<Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyDict>, GraphParts<'py>)> {
    let without_turns = number_of(outcome("outcome_without_turns", &without_turns)?);
    let has_seats = game.hasattr("to_move")?;
    let limit = limit.min(Node::MAX as usize);
    let search = Search { game, positions: PyList::empty(py), numbers: PyDict::new(py), limit };
    let (mut after, mut over, mut seats) = (Lists::default(), Vec::new(), Vec::new());
    search.number(&start)?;
    // The loop appends new positions to the list that it iterates over.
    while over.len() < search.positions.len() {
        let position = search.positions.get_item(over.len())?;
        let result = search.result(&position)?;
        let list = if result.is_some() { Vec::new() } else { search.after(&position)? };
        after.push(list).ok_or_else(|| {
            exception(py, "too-large", "there are more than 4,294,967,295 turns", None, None)
        })?;
        over.push(result.map_or(NOT_OVER, number_of));
        if has_seats {
            seats.push(search.seat(&position)? as u8);
        }
        if over.len().is_multiple_of(REPORT_EVERY) {
            py.check_signals()?;
            if let Some(listener) = &listener {
                listener.call1(("searching positions", over.len(), 0))?;
            }
        }
    }
    let (begins, nodes) = after.into_parts();
    let graph = (
        PyArray1::from_vec(py, begins),
        PyArray1::from_vec(py, nodes),
        PyArray1::from_vec(py, over),
        PyArray1::from_vec(py, seats),
        without_turns,
    );
    Ok((search.positions, search.numbers, graph))
}

fn number_of(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    }
}

/// The outcome with a number; `None` if there is none.
fn outcome_of(number: i8) -> Option<Outcome> {
    [Outcome::Win, Outcome::Draw, Outcome::Loss].into_iter().find(|&outcome| number_of(outcome) == number)
}

/// Solves a graph from [`search`].
#[pyfunction]
pub(crate) fn solve_graph<'py>(
    py: Python<'py>,
    name: String,
    graph: GraphParts<'py>,
    threads: Option<usize>,
    listener: Option<Bound<'py, PyAny>>,
) -> PyResult<Game> {
    let graph = graph_of(name, &graph)?
        .ok_or_else(|| exception(py, "usage", "the parts of the graph do not fit together", None, None))?;
    let solved = wait(py, listener.as_ref(), move |watched| {
        let game = Entry::new(graph, "").predecessors().build();
        let usual = SolveOptions::default();
        let options = SolveOptions { threads: threads.unwrap_or(usual.threads).max(1), ..usual };
        game.solve_in_memory(&options, watched)
    })?;
    Ok(Game { open: solved.map_err(|error| raised(py, error))? })
}

/// The graph with these parts; `None` if they do not fit together.
fn graph_of(name: String, parts: &GraphParts<'_>) -> PyResult<Option<Graph>> {
    let (begins, nodes, over, seats, without_turns) = parts;
    let (over, seats) = (over.to_vec()?, seats.to_vec()?);
    let over = over.iter().map(|&number| match number {
        NOT_OVER => Some(None),
        number => outcome_of(number).map(Some),
    });
    let seat = |&number: &u8| [Seat::First, Seat::Second].into_iter().find(|&seat| seat as u8 == number);
    let all = (
        Lists::from_parts(begins.to_vec()?, nodes.to_vec()?),
        over.collect::<Option<Vec<_>>>(),
        seats.iter().map(seat).collect::<Option<Vec<_>>>(),
        outcome_of(*without_turns),
    );
    let (Some(after), Some(over), Some(seats), Some(without_turns)) = all else { return Ok(None) };
    let count = after.len();
    let fits = count > 0 && over.len() == count && (seats.is_empty() || seats.len() == count);
    Ok(fits.then(|| Graph::new(name, after, over, seats, without_turns)))
}
