//! The layout of section 4.6: gadgets are placed with respect to each other on a sea of white
//! pawns.
//!
//! From the bottom to the top: the move-wasting gadget; the variable gadgets, each beginning below
//! the exit of the one before; to the right of them the black pawns of the universal ones; the
//! bridge; and, further right and going down to the right, the clause gadgets and the reward. Below
//! the clause gadgets, in the rows of the variables, the empty squares of the connection block say
//! which literal stands in which clause; what a row has to have in empty squares beyond that lies
//! at the far right, in the overflow block.

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

/// Rows of the move-wasting gadget, and the row of the white king above them.
const BELOW: usize = 4;
/// Rows of a variable gadget.
const VARIABLE_ROWS: usize = 5;
/// Columns of the right part of a universal gadget, of a clause gadget and of the reward.
const RIGHT_PART: usize = 4;
const CLAUSE_COLUMNS: usize = 3;
const REWARD_COLUMNS: usize = 5;
/// Columns of the move-wasting gadget that lie beyond the rest of the board.
const WASTE_COLUMNS: usize = 4;

/// Why a formula has no board.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReduceError {
    /// A board beyond the limit.
    #[error("the board would have {rows} rows and {columns} columns; the limit is {MAX_SIDE} of each")]
    TooLarge {
        /// Rows of squares.
        rows: usize,
        /// Columns of squares.
        columns: usize,
    },
    /// A gadget file is wrong; tests keep that from happening.
    #[error("gadget: {0}")]
    Gadget(#[from] GadgetError),
    /// The drawing of the move-wasting gadget is wrong; tests keep that from happening.
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

/// The position that the reduction makes of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduction {
    /// The position, White to move, two moves a turn.
    pub position: Position,
    /// One more than the most occurrences of a literal: variable gadgets are `p + 5` columns wide.
    pub p: usize,
    /// The gadgets in the order in which the white king comes through: a variable each, the bridge,
    /// a clause each, the reward.
    pub gadgets: Vec<Placed>,
    /// Columns of the board without those of the move-wasting gadget that lie beyond the rest.
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

/// The board of a formula: White, to move, has a winning strategy if and only if the formula is
/// true.
///
/// # Errors
/// If the board would have more than [`MAX_SIDE`] rows or columns.
pub fn reduce(formula: &Formula) -> Result<Reduction, ReduceError> {
    let (n, m) = (formula.quantifiers().len(), formula.clauses().len());
    let literals = |variable| [false, true].map(|negated| Literal { variable, negated });
    let most = (0..n).flat_map(literals).map(|literal| formula.occurrences(literal)).max().unwrap_or(0);
    let p = most + 1;

    // Columns from the left. The leftmost column of a variable gadget is the last but one of the
    // gadget before.
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

    // The number of empty squares in a literal's row outside of the gadgets: as many as the pushes
    // need, in a universal gadget less by the one that Black's choice leaves in the right part.
    let needed = |literal: Literal| {
        let spare = usize::from(formula.quantifiers()[literal.variable] == Quantifier::ForAll);
        p + usize::from(literal.negated) - spare
    };
    let overflow = |literal| needed(literal) - formula.occurrences(literal);
    let columns = overflow_left + (0..n).flat_map(literals).map(overflow).max().unwrap_or(0);

    // Rows from the top: the bridge's top row is the board's. The king crosses the bridge in row 1.
    // The first clause gadget begins there, each further one a row lower; they are four rows high,
    // and the bridge's bottom row is below the last of them, so that its second column is empty
    // beside all of them.
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

    // The king comes into the first gadget with White's first push, so that Black can choose before
    // the second.
    position.set(Place::new(rows - BELOW, 0), Cell::WhiteKing);
    position.set(Place::new(rows - BELOW - 1, 0), Cell::WhitePawn);

    add_waste_and_rails(&mut position)?;
    position.open(Place::new(0, reward_left + 1), Direction::North);
    Ok(Reduction { position, p, gadgets, width: columns })
}

/// Puts the gadget in which Black wastes his turns into the lower right corner, and rails around
/// the whole board except where that gadget has none.
fn add_waste_and_rails(position: &mut Position) -> Result<(), ReduceError> {
    let waste = Position::parse(WASTE.split_once('\n').map_or("", |(_, drawing)| drawing))?;
    let corner = Place::new(position.rows() - waste.rows(), position.columns() - waste.columns());
    stamp(position, &waste, corner);
    position.rail_everywhere();
    for place in waste.places().filter(|&place| waste.at(place) != Cell::Void) {
        for direction in Direction::ALL {
            if waste.beside(place, direction).is_none() && !waste.rail(place, direction) {
                position.open(Place::new(corner.row + place.row, corner.column + place.column), direction);
            }
        }
    }
    Ok(())
}

/// The row that pushing fills when the literal becomes false: the lower one for a variable set to
/// true.
fn row_of(top: usize, literal: Literal) -> usize {
    top + VARIABLE_ROWS - if literal.negated { 1 } else { 2 }
}

/// Copies a drawing onto the board; where it has no square, the board stays as it is.
fn stamp(position: &mut Position, gadget: &Position, corner: Place) {
    for place in gadget.places().filter(|&place| gadget.at(place) != Cell::Void) {
        position.set(Place::new(corner.row + place.row, corner.column + place.column), gadget.at(place));
    }
}
