//! The rules and the numbering. A position is the set of filled squares. Its index is this set as a number:
//! square 0 is in the upper left corner, and rows follow from the top.
//!
//! With the upper left corner as the lowest bit, a row of up to six squares fits into one machine word of
//! outcomes or 64 bytes of scores, as the bit-parallel solver requires.

use std::ops::Range;

use retrograde_game::{
    Dense, Direction, Flow, Game, GameSpec, Graded, Grid, Index, Layered, Layout, Outcome, Piece,
    Predecessors, Square, Squares, StepKind, Symmetries, TextError,
};

use crate::mirror::Mirror;

/// The game on a grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tactics {
    pub(crate) grid: Grid,
    pub(crate) longest: u32,
    pub(crate) normal: bool,
    /// Every set of squares that one turn may fill, in ascending order.
    pub(crate) lines: Vec<Squares>,
    pub(crate) mirrors: Vec<Mirror>,
}

const MAX_SQUARES: u32 = 63;
const DEFAULT_LONGEST: u32 = 4;

impl Tactics {
    /// Creates the game on `columns` × `rows` squares with lines of up to `longest` squares, or the size of
    /// the board if that is less. `normal`: the player who fills the last square wins.
    ///
    /// # Errors
    /// If there are no squares, more than 63, or no line.
    pub fn new(columns: u32, rows: u32, longest: u32, normal: bool) -> Result<Tactics, TextError> {
        let impossible =
            |reason: String| Err(TextError::impossible("game", &format!("tactics:{columns}x{rows}"), reason));
        let grid = match Grid::new(columns, rows) {
            Ok(grid) if grid.count() <= MAX_SQUARES => grid,
            _ => return impossible(format!("a board has 1 to {MAX_SQUARES} squares")),
        };
        if longest == 0 {
            return impossible("a line has at least one square".to_owned());
        }
        let longest = longest.min(columns.max(rows));
        let mut lines = Vec::new();
        for direction in [Direction::Right, Direction::Down] {
            for square in grid.all() {
                let (mut line, mut end) = (Squares::EMPTY, square.set());
                while !end.is_empty() && line.len() < longest {
                    line |= end;
                    lines.push(line);
                    end = grid.step(end, direction);
                }
            }
        }
        lines.sort_unstable();
        lines.dedup();
        let mirrors = Mirror::all(grid, &lines);
        Ok(Tactics { grid, longest, normal, lines, mirrors })
    }

    /// Creates the game with a name such as `tactics:5x4,line=3,normal`. In `tactix:6x6` (Piet Hein's TacTix)
    /// lines can be as long as the board.
    ///
    /// # Errors
    /// If the size or a key is invalid.
    pub fn from_spec(mut spec: GameSpec) -> Result<Tactics, TextError> {
        let (columns, rows) = spec.grid((4, 4), MAX_SQUARES)?;
        let (longest, keys): (_, &[&str]) = match spec.name() {
            "tactix" => (columns.max(rows), &["normal"]),
            _ => (spec.take_number("line", 1..=u32::MAX)?.unwrap_or(DEFAULT_LONGEST), &["line", "normal"]),
        };
        let normal = spec.take_flag("normal")?;
        let game = Tactics::new(columns, rows, longest, normal)
            .map_err(|_| spec.error(format!("a board has at most {MAX_SQUARES} squares")))?;
        spec.finish(keys)?;
        Ok(game)
    }

    /// The size of the board, the longest line, and who wins by filling the last square, line by line, for
    /// programs that do not know names.
    pub fn rules_text(&self) -> String {
        let last = if self.normal { "wins" } else { "loses" };
        format!(
            "rules = tactics\ncolumns = {}\nrows = {}\nline = {}\nlast = {last}\n",
            self.grid.columns(),
            self.grid.rows(),
            self.longest
        )
    }

    /// The maximum number of squares that a turn may fill.
    pub fn longest_line(&self) -> u32 {
        self.longest
    }

    /// Whether the player who fills the last square wins.
    pub fn is_normal(&self) -> bool {
        self.normal
    }

    /// The lines that fit a position.
    fn open(&self, filled: Squares) -> impl Iterator<Item = Squares> {
        self.lines.iter().copied().filter(move |line| !line.intersects(filled))
    }

    /// The squares from one to another in a row or a column; `None` if they share neither.
    pub(crate) fn between(&self, one: Square, other: Square) -> Option<Squares> {
        let (columns, first, last) = (self.grid.columns() as u8, one.0.min(other.0), one.0.max(other.0));
        let step = match (first / columns == last / columns, first % columns == last % columns) {
            (true, _) => 1,
            (_, true) => columns,
            _ => return None,
        };
        Some((first..=last).step_by(step.into()).map(Square).collect())
    }
}

impl Game for Tactics {
    /// The filled squares.
    type Position = Squares;
    /// The squares to fill, neighbours in a row or a column.
    type Turn = Squares;
    const RULES_VERSION: u32 = 1;

    fn name(&self) -> String {
        let mut name = format!("tactics:{}", self.grid);
        if self.longest != DEFAULT_LONGEST.min(self.grid.columns().max(self.grid.rows())) {
            name.push_str(&format!(",line={}", self.longest));
        }
        if self.normal {
            name.push_str(",normal");
        }
        name
    }

    fn position_count(&self) -> u128 {
        1 << self.grid.count()
    }

    fn start(&self) -> Squares {
        Squares::EMPTY
    }

    /// On a full board the other player has filled the last square. In misère, that player has lost.
    fn result(&self, position: &Squares) -> Option<Outcome> {
        (*position == self.grid.all()).then(|| self.full())
    }

    fn turns(&self, position: &Squares) -> Vec<(Squares, Squares)> {
        self.open(*position).map(|line| (line, *position | line)).collect()
    }

    fn play(&self, position: &Squares, turn: &Squares) -> Squares {
        *position | *turn
    }

    fn each_successor(&self, position: &Squares, mut visit: impl FnMut(Squares) -> Flow) -> Flow {
        self.open(*position).try_for_each(|line| visit(*position | line))
    }

    fn parse_position(&self, text: &str) -> Result<Squares, TextError> {
        self.read_position(text)
    }

    fn position_text(&self, position: &Squares) -> String {
        self.write_position(*position)
    }

    fn parse_turn(&self, position: &Squares, text: &str) -> Result<Squares, TextError> {
        self.read_turn(*position, text)
    }

    fn turn_text(&self, _position: &Squares, turn: &Squares) -> String {
        self.write_turn(*turn)
    }

    fn layout(&self) -> Option<Layout<'_, Squares, Squares>> {
        Some(Layout::new(self.grid, [Piece::FILLED]))
    }

    fn step_kind(&self, _position: &Squares, _ends: bool) -> StepKind {
        StepKind::Fill
    }
}

impl Dense for Tactics {
    const INDEX_VERSION: u32 = 1;

    fn index_count(&self) -> u128 {
        1 << self.grid.count()
    }

    fn index(&self, position: &Squares) -> Option<Index> {
        Some(Index(position.0))
    }

    fn position(&self, index: Index) -> Option<Squares> {
        (index.0 <= self.grid.all().0).then_some(Squares(index.0))
    }
}

impl Graded for Tactics {
    fn grade(&self, position: &Squares) -> u64 {
        u64::from(self.grid.count() - position.len())
    }
}

/// The number of squares within a range of [`Layered::layer`].
const RANGE_SQUARES: u32 = 12;

impl Tactics {
    /// The number of squares above a range.
    fn above(&self) -> u32 {
        self.grid.count().saturating_sub(RANGE_SQUARES)
    }
}

/// A range contains all fillings of the first squares while the others stay. Ranges in which equally many of
/// the others are filled do not depend on each other. A turn within a range leads to a larger index.
impl Layered for Tactics {
    fn layer_count(&self) -> usize {
        self.above() as usize + 1
    }

    fn layer(&self, layer: usize) -> Vec<Range<Index>> {
        let below = self.grid.count() - self.above();
        let filled = self.above() - layer as u32;
        let sets = (0..1_u64 << self.above()).filter(|set| set.count_ones() == filled);
        sets.map(|set| Index(set << below)..Index((set + 1) << below)).collect()
    }
}

impl Tactics {
    /// The outcome for the side to move on a full board.
    fn full(&self) -> Outcome {
        if self.normal { Outcome::Loss } else { Outcome::Win }
    }

    /// The game in the form of the bit-parallel solver.
    #[cfg(feature = "solver")]
    pub fn fill_game(&self) -> crate::fill::FillGame {
        let lines = self.lines.iter().map(|line| line.0).collect();
        crate::fill::FillGame { cells: self.grid.count(), lines, full: self.full() }
    }
}

impl Predecessors for Tactics {
    fn each_predecessor(&self, position: &Squares, mut visit: impl FnMut(Squares) -> Flow) -> Flow {
        let mut lines = self.lines.iter().filter(|&&line| line & *position == line);
        lines.try_for_each(|&line| visit(*position & !line))
    }
}

impl Symmetries for Tactics {
    fn symmetry_count(&self) -> usize {
        self.grid.symmetries().len()
    }

    fn image(&self, symmetry: usize, position: &Squares) -> Squares {
        self.grid.image(self.grid.symmetries()[symmetry], *position)
    }
}
