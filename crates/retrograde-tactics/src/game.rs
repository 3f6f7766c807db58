//! The rules and the numbering. A position is the set of filled squares. Its index is this set as a number:
//! square 0 is in the upper left corner, and rows follow from the top.
//!
//! With the upper left corner as the lowest bit, a row of up to six squares fits into one machine word of
//! outcomes or 64 bytes of scores, as the bit-parallel solver requires.

use std::ops::Range;

use retrograde_game::{
    Dense, Flow, Game, GameSpec, Graded, Index, Layered, Outcome, Predecessors, StepKind, Symmetries,
    TextError,
};

use crate::mirror::Mirror;

/// A position: the set of filled squares, square 0 (the upper left) the lowest bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Filled(pub u64);

/// A turn: the set of squares that it fills, neighbours in a row or a column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Segment(pub u64);

/// The game on a grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tactics {
    pub(crate) columns: u32,
    pub(crate) rows: u32,
    pub(crate) longest: u32,
    pub(crate) normal: bool,
    /// Every set of squares that one turn may fill: rows before columns, each from its first square.
    pub(crate) lines: Vec<u64>,
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
        let text = format!("tactics:{columns}x{rows}");
        let squares = u64::from(columns) * u64::from(rows);
        if squares == 0 || squares > u64::from(MAX_SQUARES) {
            let reason = format!("a board has 1 to {MAX_SQUARES} squares, this has {squares}");
            return Err(TextError::impossible("game", &text, reason));
        }
        if longest == 0 {
            return Err(TextError::impossible("game", &text, "a line has at least one square"));
        }
        let longest = longest.min(columns.max(rows));
        let mut lines = Vec::new();
        for (along, across, step, stride) in [(columns, rows, 1, columns), (rows, columns, columns, 1)] {
            for line in 0..across {
                for first in 0..along {
                    // A single square is one line, not one per direction.
                    let least = if step == 1 { 1 } else { 2 };
                    for length in least..=longest.min(along - first) {
                        let squares = (first..first + length).map(|at| 1 << (line * stride + at * step));
                        lines.push(squares.fold(0, |set: u64, square: u64| set | square));
                    }
                }
            }
        }
        // On a board of one column the steps of rows and columns coincide.
        lines.sort_unstable();
        lines.dedup();
        let mut game = Tactics { columns, rows, longest, normal, lines, mirrors: Vec::new() };
        let image = |symmetry, line| game.image(symmetry, &Filled(line)).0;
        game.mirrors = Mirror::all(game.symmetry_count(), &game.lines, image);
        Ok(game)
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
            self.columns, self.rows, self.longest
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

    pub(crate) fn squares(&self) -> u32 {
        self.columns * self.rows
    }

    pub(crate) fn full_set(&self) -> u64 {
        (1 << self.squares()) - 1
    }

    /// The lines that fit a position.
    fn open(&self, filled: u64) -> impl Iterator<Item = u64> {
        self.lines.iter().copied().filter(move |line| line & filled == 0)
    }

    /// The image in which the last row is the first.
    pub(crate) fn rows_reversed(&self, squares: u64) -> u64 {
        let row = (1 << self.columns) - 1;
        let place = |number: u32| number * self.columns;
        (0..self.rows).fold(0, |image, number| {
            image | (squares >> place(number) & row) << place(self.rows - 1 - number)
        })
    }

    pub(crate) fn is_line(&self, squares: u64) -> bool {
        self.lines.binary_search(&squares).is_ok()
    }
}

impl Game for Tactics {
    type Position = Filled;
    type Turn = Segment;
    const RULES_VERSION: u32 = 1;

    fn name(&self) -> String {
        let mut name = format!("tactics:{}x{}", self.columns, self.rows);
        if self.longest != DEFAULT_LONGEST.min(self.columns.max(self.rows)) {
            name.push_str(&format!(",line={}", self.longest));
        }
        if self.normal {
            name.push_str(",normal");
        }
        name
    }

    fn position_count(&self) -> u128 {
        1 << self.squares()
    }

    fn start(&self) -> Filled {
        Filled(0)
    }

    /// On a full board the other player has filled the last square. In misère, that player has lost.
    fn result(&self, position: &Filled) -> Option<Outcome> {
        (position.0 == self.full_set()).then(|| self.full())
    }

    fn turns(&self, position: &Filled) -> Vec<(Segment, Filled)> {
        self.open(position.0).map(|line| (Segment(line), Filled(position.0 | line))).collect()
    }

    fn play(&self, position: &Filled, turn: &Segment) -> Filled {
        Filled(position.0 | turn.0)
    }

    fn each_successor(&self, position: &Filled, mut visit: impl FnMut(Filled) -> Flow) -> Flow {
        self.open(position.0).try_for_each(|line| visit(Filled(position.0 | line)))
    }

    fn parse_position(&self, text: &str) -> Result<Filled, TextError> {
        self.read_position(text)
    }

    fn position_text(&self, position: &Filled) -> String {
        self.write_position(*position)
    }

    fn parse_turn(&self, position: &Filled, text: &str) -> Result<Segment, TextError> {
        self.read_turn(*position, text)
    }

    fn turn_text(&self, _position: &Filled, turn: &Segment) -> String {
        self.write_turn(*turn)
    }

    fn step_kind(&self, _position: &Filled, _ends: bool) -> StepKind {
        StepKind::Fill
    }
}

impl Dense for Tactics {
    const INDEX_VERSION: u32 = 1;

    fn index_count(&self) -> u128 {
        1 << self.squares()
    }

    fn index(&self, position: &Filled) -> Option<Index> {
        Some(Index(position.0))
    }

    fn position(&self, index: Index) -> Option<Filled> {
        (index.0 <= self.full_set()).then_some(Filled(index.0))
    }
}

impl Graded for Tactics {
    fn grade(&self, position: &Filled) -> u64 {
        u64::from(self.squares() - position.0.count_ones())
    }
}

/// The number of squares within a range of [`Layered::layer`].
const RANGE_SQUARES: u32 = 12;

impl Tactics {
    /// The number of squares above a range.
    fn above(&self) -> u32 {
        self.squares().saturating_sub(RANGE_SQUARES)
    }
}

/// A range contains all fillings of the first squares while the others stay. Ranges in which equally many of
/// the others are filled do not depend on each other. A turn within a range leads to a larger index.
impl Layered for Tactics {
    fn layer_count(&self) -> usize {
        self.above() as usize + 1
    }

    fn layer(&self, layer: usize) -> Vec<Range<Index>> {
        let below = self.squares() - self.above();
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
        crate::fill::FillGame { cells: self.squares(), lines: self.lines.clone(), full: self.full() }
    }
}

impl Predecessors for Tactics {
    fn each_predecessor(&self, position: &Filled, mut visit: impl FnMut(Filled) -> Flow) -> Flow {
        let filled = position.0;
        let mut lines = self.lines.iter().filter(|&&line| line & filled == line);
        lines.try_for_each(|line| visit(Filled(filled & !line)))
    }
}

/// The two reflections of the grid and their product, and the diagonal too if the board is square.
impl Symmetries for Tactics {
    fn symmetry_count(&self) -> usize {
        if self.columns == self.rows { 8 } else { 4 }
    }

    fn image(&self, symmetry: usize, position: &Filled) -> Filled {
        let mut image = 0;
        for square in (0..self.squares()).filter(|square| position.0 >> square & 1 == 1) {
            let (mut column, mut row) = (square % self.columns, square / self.columns);
            if symmetry & 1 != 0 {
                column = self.columns - 1 - column;
            }
            if symmetry & 2 != 0 {
                row = self.rows - 1 - row;
            }
            if symmetry & 4 != 0 {
                (column, row) = (row, column);
            }
            image |= 1 << (row * self.columns + column);
        }
        Filled(image)
    }
}
