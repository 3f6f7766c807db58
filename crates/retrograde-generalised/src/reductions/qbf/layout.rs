//! The layout of section 4.6: gadgets are placed relative to each other on a sea of white pawns.
//!
//! From the bottom to the top: the move-wasting gadget; the variable gadgets, each beginning below
//! the exit of the previous one; to their right the black pawns of the universal ones; the bridge;
//! and, further right and descending to the right, the clause gadgets and the reward. Below the
//! clause gadgets, in the rows of the variables, the empty squares of the connection block show
//! the literals of each clause. Further empty squares that a row needs are at the far right, in the overflow
//! block.

use retrograde_game::TextError;
use thiserror::Error;

use super::{Formula, Literal, Quantifier};
use crate::reductions::gadget::{Gadget, GadgetError};
use crate::reductions::{Cell, Direction, MAX_SIDE, Place, Position};

const EXISTENTIAL: &str = include_str!("../../../gadgets/existential.board");
const UNIVERSAL: &str = include_str!("../../../gadgets/universal.board");
const BRIDGE: &str = include_str!("../../../gadgets/bridge.board");
const CLAUSE: &str = include_str!("../../../gadgets/clause.board");
const REWARD: &str = include_str!("../../../gadgets/reward.board");
const WASTE: &str = include_str!("../../../gadgets/waste.board");

/// The rows of the move-wasting gadget, and the row of the white king above them.
const BELOW: usize = 4;
/// The rows of a variable gadget.
const VARIABLE_ROWS: usize = 5;
/// The columns of the right part of a universal gadget, of a clause gadget and of the reward.
const RIGHT_PART: usize = 4;
const CLAUSE_COLUMNS: usize = 3;
const REWARD_COLUMNS: usize = 5;
/// The columns of the move-wasting gadget beyond the rest of the board.
const WASTE_COLUMNS: usize = 4;

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
    /// The drawing of the move-wasting gadget is wrong; tests make sure that this does not happen.
    #[error("move-wasting gadget: {0}")]
    Drawing(#[from] TextError),
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
    /// The position, with White to move and two moves per turn.
    pub position: Position,
    /// One more than the most occurrences of a literal. Variable gadgets are `p + 5` columns wide.
    pub p: usize,
    /// The gadgets in the order in which the white king passes them: one per variable, the bridge,
    /// one per clause, the reward.
    pub gadgets: Vec<Placed>,
    /// The number of columns of the board, excluding the columns of the move-wasting gadget beyond the rest.
    pub width: usize,
}

impl Reduction {
    /// The text of a board file.
    #[must_use]
    pub fn board_file(&self) -> String {
        format!("moves = 2\n{}", self.position)
    }

    /// The column in which White can push the black pawn of the reward off the board.
    #[must_use]
    pub fn winning_column(&self) -> Option<usize> {
        self.gadgets.last().map(|reward| reward.place.column + 1)
    }
}

/// Creates the board of a formula. White, to move, has a winning strategy if and only if the formula is true.
///
/// # Errors
/// If the board would have more than [`MAX_SIDE`] rows or columns.
pub fn reduce(formula: &Formula) -> Result<Reduction, ReduceError> {
    let (n, m) = (formula.quantifiers().len(), formula.clauses().len());
    let literals = |variable| [false, true].map(|negated| Literal { variable, negated });
    let most = (0..n).flat_map(literals).map(|literal| formula.occurrences(literal)).max().unwrap_or(0);
    let p = most + 1;

    // Columns from the left. The leftmost column of a variable gadget is the second to last of the
    // previous gadget.
    let width = |quantifier| p + 5 + usize::from(quantifier == Quantifier::ForAll);
    let mut lefts = vec![0];
    for &quantifier in formula.quantifiers() {
        lefts.push(lefts[lefts.len() - 1] + width(quantifier) - 2);
    }
    let bridge_left = lefts[n];
    let right_parts = bridge_left + 2;
    let clauses_left = right_parts + RIGHT_PART;
    let reward_left = clauses_left + CLAUSE_COLUMNS * m;
    let overflow_left = reward_left + REWARD_COLUMNS;

    // The number of empty squares in a literal's row outside the gadgets: the number that the
    // pushes need, minus one in a universal gadget, where Black's choice leaves one in the right
    // part.
    let needed = |literal: Literal| {
        let spare = usize::from(formula.quantifiers()[literal.variable] == Quantifier::ForAll);
        p + usize::from(literal.negated) - spare
    };
    let overflow = |literal| needed(literal) - formula.occurrences(literal);
    let columns = overflow_left + (0..n).flat_map(literals).map(overflow).max().unwrap_or(0);

    // Rows from the top. The top row of the bridge is the top row of the board, and the king
    // crosses the bridge in row 1. The first clause gadget begins there, and each further one is a
    // row lower. They are four rows high, and the bottom row of the bridge is below the last of
    // them, so that its second column is empty next to all of them.
    let bridge_rows = m + 5;
    let rows = bridge_rows + VARIABLE_ROWS * n + BELOW;
    if rows > MAX_SIDE || columns + WASTE_COLUMNS > MAX_SIDE {
        return Err(ReduceError::TooLarge { rows, columns: columns + WASTE_COLUMNS });
    }
    let mut position = Position::filled(rows, columns + WASTE_COLUMNS, Cell::Void);
    for place in position.places().filter(|place| place.column < columns) {
        position.set(place, Cell::WhitePawn);
    }

    let top_of = |variable: usize| rows - BELOW - VARIABLE_ROWS * (variable + 1);
    let mut gadgets = Vec::new();
    for (variable, &quantifier) in formula.quantifiers().iter().enumerate() {
        let gap = right_parts - (lefts[variable] + width(quantifier));
        let text = if quantifier == Quantifier::ForAll { UNIVERSAL } else { EXISTENTIAL };
        let gadget = Gadget::parse(text, &[("p", p), ("g", gap)])?;
        gadgets.push(Placed { gadget, place: Place::new(top_of(variable), lefts[variable]) });
    }
    let gadget = Gadget::parse(BRIDGE, &[("w", clauses_left - right_parts), ("h", m + 2)])?;
    gadgets.push(Placed { gadget, place: Place::new(0, bridge_left) });
    for (index, clause) in formula.clauses().iter().enumerate() {
        let gadget = Gadget::parse(CLAUSE, &[("k", clause.len())])?;
        let left = clauses_left + CLAUSE_COLUMNS * index;
        gadgets.push(Placed { gadget, place: Place::new(1 + index, left) });
        for literal in clause {
            position.set(Place::new(row_of(top_of(literal.variable), *literal), left + 1), Cell::Empty);
        }
    }
    let gadget = Gadget::parse(REWARD, &[("h", m)])?;
    gadgets.push(Placed { gadget, place: Place::new(0, reward_left) });
    for Placed { gadget, place } in &gadgets {
        stamp(&mut position, &gadget.position, *place);
    }
    for literal in (0..n).flat_map(literals) {
        for column in 0..overflow(literal) {
            let row = row_of(top_of(literal.variable), literal);
            position.set(Place::new(row, overflow_left + column), Cell::Empty);
        }
    }

    // The king enters the first gadget with White's first push, so that Black can choose before the second.
    position.set(Place::new(rows - BELOW, 0), Cell::WhiteKing);
    position.set(Place::new(rows - BELOW - 1, 0), Cell::WhitePawn);

    add_waste_and_rails(&mut position)?;
    position.open(Place::new(0, reward_left + 1), Direction::North);
    Ok(Reduction { position, p, gadgets, width: columns })
}

/// Puts the gadget in which Black wastes turns into the lower right corner, and rails around the
/// whole board except at open edges of that gadget.
fn add_waste_and_rails(position: &mut Position) -> Result<(), ReduceError> {
    let waste = Position::parse(WASTE.split_once('\n').map_or("", |(_, drawing)| drawing))?;
    let corner = Place::new(position.rows() - waste.rows(), position.columns() - waste.columns());
    stamp(position, &waste, corner);
    position.rail_everywhere();
    for place in waste.places().filter(|&place| waste.at(place) != Cell::Void) {
        for direction in Direction::ALL {
            if waste.neighbour(place, direction).is_none() && !waste.rail(place, direction) {
                position.open(Place::new(corner.row + place.row, corner.column + place.column), direction);
            }
        }
    }
    Ok(())
}

/// The row that is filled by pushing when the literal becomes false: the lower one for a variable
/// set to true.
fn row_of(top: usize, literal: Literal) -> usize {
    top + VARIABLE_ROWS - if literal.negated { 1 } else { 2 }
}

/// Copies a drawing onto the board. Cells that are not squares leave the board unchanged.
fn stamp(position: &mut Position, gadget: &Position, corner: Place) {
    for place in gadget.places().filter(|&place| gadget.at(place) != Cell::Void) {
        position.set(Place::new(corner.row + place.row, corner.column + place.column), gadget.at(place));
    }
}
