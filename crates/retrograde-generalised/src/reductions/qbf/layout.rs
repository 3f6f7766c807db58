//! The layout of section 4.6: gadgets are placed relative to each other on a sea of white pawns.
//!
//! From the bottom to the top: the move-wasting gadget; the variable gadgets, each beginning below
//! the exit of the previous one; to their right the black pawns of the universal ones; the bridge;
//! and, further right and descending to the right, the clause gadgets and the reward. Below the
//! clause gadgets, in the rows of the variables, the empty squares of the connection block show
//! the literals of each clause. Further empty squares that a row needs are at the far right, in the overflow
//! block.
//!
//! Without moves, Black cannot choose with pawns, and nothing needs to be wasted. Instead, the black
//! king passes a second stack of existential gadgets, to the left of the white king's and below it,
//! push by push at the same time. Each variable has a gadget in both stacks; the rows of the
//! player who chooses it lead to the clauses. Afterwards the black king crosses a bridge that is longer than the
//! rest of White's way.

use thiserror::Error;

use super::waste::{self, WASTE_ROWS, move_wasting};
use super::{Formula, Literal, Quantifier};
use crate::reductions::gadget::{Gadget, GadgetError};
use crate::reductions::{Cell, Direction, MAX_SIDE, Place, Position};

const EXISTENTIAL: &str = include_str!("../../../gadgets/existential.board");
const UNIVERSAL: &str = include_str!("../../../gadgets/universal.board");
const BRIDGE: &str = include_str!("../../../gadgets/bridge.board");
const CLAUSE: &str = include_str!("../../../gadgets/clause.board");
const REWARD: &str = include_str!("../../../gadgets/reward.board");

/// The rows of a variable gadget.
const VARIABLE_ROWS: usize = 5;
/// The columns of the right part of a universal gadget, and of a clause gadget.
const RIGHT_PART: usize = 4;
const CLAUSE_COLUMNS: usize = 3;
/// The rows of the black king's bridge.
const BLACK_BRIDGE_ROWS: usize = 4;

/// The reason why there is no board for a formula.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReduceError {
    /// The board would be too large.
    #[error("the board would have {rows} rows and {columns} columns; the limit is {MAX_SIDE} of each")]
    TooLarge {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A gadget file is wrong; tests make sure that this does not happen.
    #[error("gadget: {0}")]
    Gadget(#[from] GadgetError),
}

/// A gadget on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The gadget, with its sizes.
    pub gadget: Gadget,
    /// The place of its top left square.
    pub place: Place,
}

/// The position for a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduction {
    /// The position, with White to move.
    pub position: Position,
    /// The maximum number of moves in a turn.
    pub moves: usize,
    /// One more than the most occurrences of a literal. Variable gadgets are `p + 5` columns wide.
    pub p: usize,
    /// The gadgets in the order in which the white king passes them: one per variable, the bridge,
    /// one per clause, the reward.
    pub gadgets: Vec<Placed>,
    /// The gadgets that the black king passes if there are no moves: one per variable, a bridge.
    pub black_gadgets: Vec<Placed>,
    /// The number of columns of the board, excluding the columns of the move-wasting gadget beyond the rest.
    pub width: usize,
}

impl Reduction {
    /// The text of a board file.
    #[must_use]
    pub fn board_file(&self) -> String {
        format!("moves = {}\n{}", self.moves, self.position)
    }

    /// The column in which White can push the black pawn of the reward off the board.
    #[must_use]
    pub fn winning_column(&self) -> Option<usize> {
        let reward = self.gadgets.last()?;
        let pawn = reward.gadget.position.find(Cell::is_black)?;
        Some(reward.place.column + pawn.column)
    }
}

/// Creates the board of a formula for turns of up to `moves` moves. White, to move, has a winning
/// strategy if and only if the formula is true.
///
/// # Errors
/// If the board would have more than [`MAX_SIDE`] rows or columns.
pub fn reduce(formula: &Formula, moves: usize) -> Result<Reduction, ReduceError> {
    let layout = Layout::of(formula, moves)?;
    let mut position = Position::filled(layout.rows, layout.columns + layout.waste_columns, Cell::Void);
    for place in position.places().filter(|place| place.column < layout.columns) {
        position.set(place, Cell::WhitePawn);
    }
    for row in &layout.literal_rows {
        for column in row.empty_columns(&layout) {
            position.set(Place::new(row.row, column), Cell::Empty);
        }
    }
    let [gadgets, black_gadgets] = [layout.white_gadgets()?, layout.black_gadgets()?];
    for Placed { gadget, place } in gadgets.iter().chain(&black_gadgets) {
        stamp(&mut position, &gadget.position, *place);
    }
    // The kings enter the first gadget with their first push, so that Black can choose before White's second.
    let kings = [(Some(&layout.white), Cell::WhiteKing), (layout.black.as_ref(), Cell::BlackAnchored)];
    for (stack, king) in kings.into_iter().filter_map(|(stack, king)| Some((stack?, king))) {
        position.set(Place::new(stack.row, stack.lefts[0]), king);
        position.set(Place::new(stack.row - 1, stack.lefts[0]), Cell::WhitePawn);
    }
    let waste =
        (moves > 0).then(|| (move_wasting(moves), Place::new(layout.rows - WASTE_ROWS, layout.columns)));
    if let Some((gadget, corner)) = &waste {
        stamp(&mut position, gadget, *corner);
    }
    position.rail_everywhere();
    if let Some((gadget, corner)) = &waste {
        for place in gadget.places().filter(|&place| gadget.is_open(place, Direction::North)) {
            position.open(Place::new(corner.row + place.row, corner.column + place.column), Direction::North);
        }
    }
    let Layout { p, columns: width, .. } = layout;
    let mut reduction = Reduction { position, moves, p, gadgets, black_gadgets, width };
    if let Some(column) = reduction.winning_column() {
        reduction.position.open(Place::new(0, column), Direction::North);
    }
    Ok(reduction)
}

/// The places of everything on the board of a formula. Rows are counted from the top, columns from the
/// left.
struct Layout<'a> {
    formula: &'a Formula,
    moves: usize,
    p: usize,
    rows: usize,
    /// Without the columns of the move-wasting gadget.
    columns: usize,
    waste_columns: usize,
    white: Stack,
    /// The stack of the black king, without moves.
    black: Option<Stack>,
    literal_rows: Vec<LiteralRow>,
    reward: Gadget,
}

/// The variable gadgets that a king passes, bottom to top.
struct Stack {
    /// The row in which the king begins, below the first gadget.
    row: usize,
    /// The left column of each gadget, and of the bridge. It is the second to last of the previous gadget.
    lefts: Vec<usize>,
}

impl Stack {
    /// The top row of a variable's gadget.
    fn top(&self, variable: usize) -> usize {
        self.row - VARIABLE_ROWS * (variable + 1)
    }

    /// The left column of the bridge.
    fn bridge_left(&self) -> usize {
        self.lefts[self.lefts.len() - 1]
    }
}

/// The row that is filled by pushing when a literal becomes false: the lower one for a variable
/// set to true.
struct LiteralRow {
    row: usize,
    literal: Literal,
    /// Whether the clauses depend on this row.
    leads: bool,
    /// The empty squares outside the gadgets: as many as the pushes fill, minus one in a universal gadget,
    /// where Black's choice leaves one in the right part.
    needed: usize,
}

impl LiteralRow {
    /// The empty squares that are not below a clause.
    fn overflow(&self, formula: &Formula) -> usize {
        self.needed - if self.leads { formula.occurrences(self.literal) } else { 0 }
    }

    /// The columns with an empty square: below the clauses of the literal, and in the overflow block.
    fn empty_columns(&self, layout: &Layout) -> impl Iterator<Item = usize> {
        let clauses = layout.formula.clauses().iter().enumerate();
        let below = clauses.filter(|(_, clause)| self.leads && clause.contains(&self.literal));
        let (left, overflow) = (layout.clauses_left(), layout.overflow_left());
        below
            .map(move |(index, _)| left + CLAUSE_COLUMNS * index + 1)
            .chain((0..self.overflow(layout.formula)).map(move |column| overflow + column))
    }
}

impl<'a> Layout<'a> {
    fn of(formula: &'a Formula, moves: usize) -> Result<Layout<'a>, ReduceError> {
        let (n, m) = (formula.quantifiers().len(), formula.clauses().len());
        let literals = |variable| [false, true].map(|negated| Literal { variable, negated });
        let most = (0..n).flat_map(literals).map(|literal| formula.occurrences(literal)).max().unwrap_or(0);
        let p = most + 1;
        let wide = |variable| usize::from(by_pawn(formula, moves, variable));
        let stack = |row, left, wide: &dyn Fn(usize) -> usize| {
            let mut lefts = vec![left];
            for variable in 0..n {
                lefts.push(lefts[variable] + p + 3 + wide(variable));
            }
            Stack { row, lefts }
        };

        // The top row of the bridge is the top row of the board, and the king crosses the bridge in
        // row 1. The first clause gadget begins there, and each further one is a row lower. They are
        // four rows high, and the bottom row of the bridge is below the last of them, so that its
        // second column is empty next to all of them.
        let white_row = m + 5 + VARIABLE_ROWS * n;
        let black =
            (moves == 0).then(|| stack(white_row + 1 + BLACK_BRIDGE_ROWS + VARIABLE_ROWS * n, 0, &|_| 0));
        let rows = black.as_ref().map_or(white_row + 1 + WASTE_ROWS, |black| black.row + 1);
        let waste_columns = if moves == 0 { 0 } else { waste::columns(moves) };
        if rows > MAX_SIDE || waste_columns > MAX_SIDE {
            return Err(ReduceError::TooLarge { rows, columns: waste_columns });
        }
        let left = black.as_ref().map_or(0, |black| black.bridge_left() + black_bridge_columns(m) + 1);
        let white = stack(white_row, left, &wide);
        // Moves cannot clear `w` + 1 pawns out of the way from the last clause to the reward.
        let reward = Gadget::parse(REWARD, &[("h", m), ("w", moves.saturating_sub(1).max(1))])?;

        let owners = [(Some(&white), Quantifier::Exists), (black.as_ref(), Quantifier::ForAll)];
        let literal_rows: Vec<LiteralRow> = owners
            .into_iter()
            .filter_map(|(stack, owner)| Some((stack?, owner)))
            .flat_map(|(stack, owner)| {
                (0..n).flat_map(literals).map(move |literal| {
                    let Literal { variable, negated } = literal;
                    LiteralRow {
                        row: stack.top(variable) + VARIABLE_ROWS - if negated { 1 } else { 2 },
                        literal,
                        leads: moves > 0 || formula.quantifiers()[variable] == owner,
                        needed: p + usize::from(negated) - wide(variable),
                    }
                })
            })
            .collect();
        let mut layout =
            Layout { formula, moves, p, rows, columns: 0, waste_columns, white, black, literal_rows, reward };
        let overflow = layout.literal_rows.iter().map(|row| row.overflow(formula)).max();
        layout.columns = layout.overflow_left() + overflow.unwrap_or(0);
        let columns = layout.columns + waste_columns;
        if columns > MAX_SIDE { Err(ReduceError::TooLarge { rows, columns }) } else { Ok(layout) }
    }

    /// The left column of the right parts of universal gadgets.
    fn right_parts(&self) -> usize {
        self.white.bridge_left() + 2
    }

    fn clauses_left(&self) -> usize {
        self.right_parts() + RIGHT_PART
    }

    fn reward_left(&self) -> usize {
        self.clauses_left() + CLAUSE_COLUMNS * self.formula.clauses().len()
    }

    fn overflow_left(&self) -> usize {
        self.reward_left() + self.reward.position.columns()
    }

    fn white_gadgets(&self) -> Result<Vec<Placed>, ReduceError> {
        let mut gadgets = Vec::new();
        for variable in 0..self.formula.quantifiers().len() {
            let universal = by_pawn(self.formula, self.moves, variable);
            let left = self.white.lefts[variable];
            let gap = self.right_parts() - (self.white.lefts[variable + 1] + 2);
            let text = if universal { UNIVERSAL } else { EXISTENTIAL };
            let gadget = Gadget::parse(text, &[("p", self.p), ("g", gap)])?;
            gadgets.push(Placed { gadget, place: Place::new(self.white.top(variable), left) });
        }
        let clauses = self.formula.clauses();
        let gadget = Gadget::parse(BRIDGE, &[("w", RIGHT_PART), ("h", clauses.len() + 2)])?;
        gadgets.push(Placed { gadget, place: Place::new(0, self.white.bridge_left()) });
        for (index, clause) in clauses.iter().enumerate() {
            let gadget = Gadget::parse(CLAUSE, &[("k", clause.len())])?;
            let left = self.clauses_left() + CLAUSE_COLUMNS * index;
            gadgets.push(Placed { gadget, place: Place::new(1 + index, left) });
        }
        gadgets.push(Placed { gadget: self.reward.clone(), place: Place::new(0, self.reward_left()) });
        Ok(gadgets)
    }

    fn black_gadgets(&self) -> Result<Vec<Placed>, ReduceError> {
        let Some(black) = &self.black else { return Ok(Vec::new()) };
        let mut gadgets = Vec::new();
        let (_, lefts) = black.lefts.split_last().unwrap_or((&0, &[]));
        for (variable, &left) in lefts.iter().enumerate() {
            let gadget = Gadget::parse(EXISTENTIAL, &[("p", self.p)])?;
            gadgets.push(Placed { gadget, place: Place::new(black.top(variable), left) });
        }
        let columns = black_bridge_columns(self.formula.clauses().len());
        let gadget = Gadget::parse(BRIDGE, &[("w", columns - 2), ("h", BLACK_BRIDGE_ROWS - 3)])?;
        gadgets.push(Placed { gadget, place: Place::new(self.white.row + 1, black.bridge_left()) });
        Ok(gadgets)
    }
}

/// Whether Black chooses a variable by moving a black pawn.
fn by_pawn(formula: &Formula, moves: usize, variable: usize) -> bool {
    moves > 0 && formula.quantifiers()[variable] == Quantifier::ForAll
}

/// The columns of the black king's bridge: more than the pushes of the white king on its bridge, in the
/// clause gadgets and in the reward.
fn black_bridge_columns(clauses: usize) -> usize {
    5 * clauses + 20
}

/// Copies a drawing onto the board. Cells that are not squares leave the board unchanged.
fn stamp(position: &mut Position, gadget: &Position, corner: Place) {
    for place in gadget.places().filter(|&place| gadget.at(place) != Cell::Void) {
        position.set(Place::new(corner.row + place.row, corner.column + place.column), gadget.at(place));
    }
}
