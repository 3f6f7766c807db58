//! Squares, positions and turns as bits.
//!
//! A side's pawns are one 64-bit mask, bit `row × columns + column` with row 0 at the top, so that all steps
//! of a side are one shift, and half a turn of the board is a reversal of the bits.

use thiserror::Error;

/// A size of board that cannot be played on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum BoardError {
    /// A board without columns.
    #[error("a board needs a column at least")]
    NoColumns,
    /// A board of one row, where nobody could move.
    #[error("a board needs two rows at least, found {0}")]
    FewRows(u32),
    /// More squares than a mask has bits.
    #[error("a board has at most 64 squares, found {columns} x {rows}")]
    Large {
        /// Columns asked for.
        columns: u32,
        /// Rows asked for.
        rows: u32,
    },
}

/// A square: `row × columns + column`, row 0 at the top, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(pub u8);

impl Square {
    /// The mask that holds only this square.
    pub(crate) fn bit(self) -> u64 {
        1 << self.0
    }
}

/// Where the pawns stand, seen by the side to move, which moves up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    pub(crate) own: u64,
    pub(crate) other: u64,
}

impl Position {
    /// The pawns of the side to move (`X`): bit `row × columns + column`, row 0 at the top.
    pub fn own(&self) -> u64 {
        self.own
    }

    /// The opponent's pawns (`O`), numbered like [`Position::own`].
    pub fn other(&self) -> u64 {
        self.other
    }
}

/// A pawn steps to an empty square or captures on an occupied one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Turn {
    /// Where the pawn comes from.
    pub from: Square,
    /// Where it goes to, one row above.
    pub to: Square,
}

/// The bits of a mask as squares, in ascending order.
pub(crate) fn squares(mut mask: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let square = Square(mask.trailing_zeros() as u8);
            mask &= mask - 1;
            square
        })
    })
}

/// The masks that the rules need on a board of a size.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub columns: u32,
    pub rows: u32,
    pub all: u64,
    pub top: u64,
    pub bottom: u64,
    not_left: u64,
    not_right: u64,
}

/// The squares that the side to move can go to, by kind of turn.
pub(crate) struct Targets {
    pub steps: u64,
    /// Captures by a pawn that stands one column to the right of the square.
    pub to_left: u64,
    /// Captures by a pawn that stands one column to the left of the square.
    pub to_right: u64,
}

impl Board {
    pub fn new(columns: u32, rows: u32) -> Result<Board, BoardError> {
        if columns == 0 {
            return Err(BoardError::NoColumns);
        }
        if rows < 2 {
            return Err(BoardError::FewRows(rows));
        }
        let squares = match columns.checked_mul(rows) {
            Some(squares) if squares <= 64 => squares,
            _ => return Err(BoardError::Large { columns, rows }),
        };
        let all = u64::MAX >> (64 - squares);
        // At least two rows: a row has at most 32 squares.
        let top = (1_u64 << columns) - 1;
        let left = (0..rows).fold(0, |mask, row| mask | 1_u64 << (row * columns));
        let right = left << (columns - 1);
        Ok(Board {
            columns,
            rows,
            all,
            top,
            bottom: top << (squares - columns),
            not_left: !left,
            not_right: !right,
        })
    }

    /// Turns a mask by half a turn.
    pub fn rotate(&self, mask: u64) -> u64 {
        mask.reverse_bits() >> self.all.leading_zeros()
    }

    /// The same position with the sides' points of view exchanged.
    pub fn swap(&self, own: u64, other: u64) -> Position {
        Position { own: self.rotate(other), other: self.rotate(own) }
    }

    /// Exchanges left and right.
    pub fn mirror(&self, mask: u64) -> u64 {
        let flipped = |row: u32| {
            let bits = (mask >> (row * self.columns)) & self.top;
            (bits.reverse_bits() >> (64 - self.columns)) << (row * self.columns)
        };
        (0..self.rows).fold(0, |all, row| all | flipped(row))
    }

    pub fn targets(&self, position: Position) -> Targets {
        let Position { own, other } = position;
        Targets {
            steps: (own >> self.columns) & !(own | other),
            to_left: ((own & self.not_left) >> (self.columns + 1)) & other,
            to_right: ((own & self.not_right) >> (self.columns - 1)) & other,
        }
    }

    /// The squares of the row below from which a pawn can capture on a square.
    pub fn captors(&self, to: Square) -> u64 {
        let bit = to.bit();
        let right = (bit & self.not_right) << (self.columns + 1);
        let left = (bit & self.not_left) << (self.columns - 1);
        (right | left) & self.all
    }
}
