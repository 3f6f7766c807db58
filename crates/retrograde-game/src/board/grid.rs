//! Rectangular boards of up to 64 squares ([`Grid`]), with the code that games on them would
//! otherwise each write.
//!
//! Square `row × columns + column`, with row 0 at the top, is a bit of a set. A step of all pieces
//! is therefore one shift, a half turn reverses the bits, and squares have the same order as in
//! texts and in a [`Picture`]. Names count from the lower left: `a1`.
//!
//! ```
//! use retrograde_game::{Direction, Grid};
//!
//! let grid = Grid::new(3, 3)?;
//! let [x, o] = grid.parse(['X', 'O'], "..O/.X./X..")?;
//! assert!(!grid.has_line(x, 3) && grid.has_line(x | o, 3));
//! assert_eq!(grid.text(['X', 'O'], [grid.half_turn(x), o]), "..X/.X./...");
//! assert_eq!(grid.step(x, Direction::Up), grid.parse(['X'], ".X./X../...")?[0]);
//! assert_eq!(grid.name(x.first().unwrap()), "b2");
//! # Ok::<(), retrograde_game::TextError>(())
//! ```

mod text;

use std::fmt;

use super::direction::Direction::{self, Down, DownLeft, DownRight, Left, Right, Up, UpLeft, UpRight};
use super::direction::Symmetry;
use super::picture::GridSquare;
use super::squares::{Square, Squares};
use crate::text::{GameSpec, TextError};

/// A rectangle of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Grid {
    columns: u8,
    rows: u8,
    all: Squares,
    left: Squares,
}

/// Boards and their squares.
impl Grid {
    /// A board of this size.
    ///
    /// # Errors
    /// If it has no squares or more than 64.
    pub fn new(columns: u32, rows: u32) -> Result<Grid, TextError> {
        Grid::checked(columns, rows).ok_or_else(|| {
            TextError::impossible("board", &format!("{columns}x{rows}"), "a board has from 1 to 64 squares")
        })
    }

    /// Reads the board size `WxH` from the name of a game, or uses the `default` size.
    ///
    /// # Errors
    /// If it is not of that form, or has more than 64 squares.
    pub fn from_spec(spec: &GameSpec, default: (u32, u32)) -> Result<Grid, TextError> {
        let (columns, rows) = spec.grid(default, 64)?;
        Grid::checked(columns, rows)
            .ok_or_else(|| spec.error(format!("a board can have at most 64 squares, not {columns} x {rows}")))
    }

    fn checked(columns: u32, rows: u32) -> Option<Grid> {
        let count = columns.checked_mul(rows).filter(|count| (1..=64).contains(count))?;
        let left = (0..rows).map(|row| Square((row * columns) as u8)).collect();
        Some(Grid { columns: columns as u8, rows: rows as u8, all: Squares::below(count as usize), left })
    }

    /// The number of columns.
    #[inline]
    #[must_use]
    pub const fn columns(self) -> u32 {
        self.columns as u32
    }

    /// The number of rows.
    #[inline]
    #[must_use]
    pub const fn rows(self) -> u32 {
        self.rows as u32
    }

    /// All squares.
    #[inline]
    #[must_use]
    pub const fn all(self) -> Squares {
        self.all
    }

    /// The number of squares, from 1 to 64.
    #[inline]
    #[must_use]
    pub const fn count(self) -> u32 {
        u64::BITS - self.all.0.leading_zeros()
    }

    /// The squares of a column, counted from the left; none if there is no such column.
    #[inline]
    #[must_use]
    pub const fn column(self, column: u32) -> Squares {
        if column < self.columns() { Squares(self.left.0 << column) } else { Squares::EMPTY }
    }

    /// The squares of a row, counted from the top; none if there is no such row.
    #[inline]
    #[must_use]
    pub const fn row(self, row: u32) -> Squares {
        if row < self.rows() {
            Squares(Squares::below(self.columns as usize).0 << (row * self.columns()))
        } else {
            Squares::EMPTY
        }
    }

    /// The uppermost row, on the far side for the side to move.
    #[inline]
    #[must_use]
    pub const fn top(self) -> Squares {
        self.row(0)
    }

    /// The lowest row.
    #[inline]
    #[must_use]
    pub const fn bottom(self) -> Squares {
        self.row(self.rows() - 1)
    }

    /// The square in a column and a row, counted from the upper left, if there is one.
    #[inline]
    #[must_use]
    pub fn square(self, column: u32, row: u32) -> Option<Square> {
        (column < self.columns() && row < self.rows()).then(|| Square((row * self.columns() + column) as u8))
    }

    /// The position of a square in a picture.
    #[inline]
    #[must_use]
    pub fn place(self, square: Square) -> GridSquare {
        let (square, columns) = (u16::from(square.0), u16::from(self.columns));
        GridSquare { column: square % columns, row: square / columns }
    }
}

/// Formats the size: `5x4`.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

/// Neighbours and lines.
impl Grid {
    /// Moves all squares of a set by one step. Squares that leave the board are dropped.
    #[inline(always)]
    #[must_use]
    pub const fn step(self, set: Squares, direction: Direction) -> Squares {
        let columns = self.columns();
        // A square that wraps around to the first column has left the board through the last one,
        // and vice versa.
        let from_left = set.0 & !self.left.0;
        let (not_first, all) = (!self.left.0, self.all.0);
        Squares(match direction {
            Up => shifted_down(set.0, columns),
            Down => shifted_up(set.0, columns) & all,
            Left => from_left >> 1,
            Right => (set.0 << 1) & not_first & all,
            UpLeft => shifted_down(from_left, columns + 1),
            DownLeft => shifted_up(from_left, columns - 1) & all,
            UpRight => shifted_down(set.0, columns - 1) & not_first,
            DownRight => shifted_up(set.0, columns + 1) & not_first & all,
        })
    }

    /// The squares one step from some square of a set, in any of some directions. Includes squares
    /// of the set itself that have a neighbour in it.
    #[inline]
    #[must_use]
    pub fn neighbours(self, set: Squares, directions: &[Direction]) -> Squares {
        directions.iter().fold(Squares::EMPTY, |all, &direction| all | self.step(set, direction))
    }

    /// All lines of `length` squares in a row, a column or a diagonal. A single square is one line.
    #[must_use]
    pub fn lines(self, length: u32) -> Vec<Squares> {
        let mut lines = Vec::new();
        let directions = if length == 1 { &Direction::OF_LINES[..1] } else { &Direction::OF_LINES[..] };
        for direction in directions {
            for square in self.all {
                let mut end = square.set();
                let mut line = end;
                for _ in 1..length {
                    end = self.step(end, *direction);
                    line |= end;
                }
                if length > 0 && !end.is_empty() {
                    lines.push(line);
                }
            }
        }
        lines
    }

    /// Whether a set contains a line of `length` squares.
    #[inline]
    #[must_use]
    pub fn has_line(self, set: Squares, length: u32) -> bool {
        if length < 2 {
            return !set.is_empty();
        }
        let (set, off_left) = (set.0, set.0 & !self.left.0);
        let beside = |from: u64, to: u64, step| (shifted_down(from, step) & to, step);
        // Squares of the set with a neighbour in it; rows of these make lines. Only this step has
        // to make sure that the neighbour is on the board.
        let pairs = [
            beside(off_left, set, 1),
            beside(set, set, self.columns()),
            beside(off_left, set, self.columns() + 1),
            beside(set, off_left, self.columns() - 1),
        ];
        pairs.into_iter().any(|(pairs, step)| {
            let mut lines = pairs;
            for _ in 2..length {
                lines &= shifted_down(lines, step);
            }
            lines != 0
        })
    }
}

/// Shifts towards lower numbers. On a board with one row the shift can be up to 65.
const fn shifted_down(bits: u64, by: u32) -> u64 {
    if by < 64 { bits >> by } else { 0 }
}

const fn shifted_up(bits: u64, by: u32) -> u64 {
    if by < 64 { bits << by } else { 0 }
}

/// Symmetries, and the other player's view.
impl Grid {
    /// The symmetries of the board, identity first: eight for a square board, four for any other.
    #[must_use]
    pub fn symmetries(self) -> &'static [Symmetry] {
        if self.columns == self.rows { &Symmetry::ALL } else { &Symmetry::ALL[..4] }
    }

    /// The permutation of a symmetry: entry `n` is the square that square `n` moves to. A symmetry
    /// that exchanges columns and rows numbers the squares of the exchanged board.
    #[must_use]
    pub fn permutation(self, symmetry: Symmetry) -> Vec<u8> {
        self.all.into_iter().map(|square| self.moved(symmetry, square).0).collect()
    }

    fn moved(self, symmetry: Symmetry, Square(square): Square) -> Square {
        let (width, height) = (self.columns, self.rows);
        let (column, row) = (square % width, square / width);
        let (right, below) = (width - 1 - column, height - 1 - row);
        Square(match symmetry {
            Symmetry::Identity => square,
            Symmetry::Mirror => row * width + right,
            Symmetry::Flip => below * width + column,
            Symmetry::HalfTurn => below * width + right,
            Symmetry::Diagonal => right * height + below,
            Symmetry::Antidiagonal => column * height + row,
            Symmetry::QuarterTurn => column * height + below,
            Symmetry::ThreeQuarterTurn => right * height + row,
        })
    }

    /// The image of a set. Symmetries that exchange columns and rows go square by square; for frequent use, a
    /// table of [`Grid::permutation`] is faster (`BoardSymmetry` in `retrograde-index`).
    #[must_use]
    pub fn image(self, symmetry: Symmetry, set: Squares) -> Squares {
        match symmetry {
            Symmetry::Identity => set,
            Symmetry::Mirror => self.mirror(set),
            Symmetry::Flip => self.half_turn(self.mirror(set)),
            Symmetry::HalfTurn => self.half_turn(set),
            _ => (set & self.all).into_iter().map(|square| self.moved(symmetry, square)).collect(),
        }
    }

    /// The set after a half turn of the board: what the other player sees from the opposite side.
    #[inline]
    #[must_use]
    pub const fn half_turn(self, set: Squares) -> Squares {
        set.rotated(self.count())
    }

    /// The set with left and right exchanged, column by column.
    #[inline]
    #[must_use]
    pub fn mirror(self, set: Squares) -> Squares {
        let (pairs, last) = (self.columns() / 2, self.columns() - 1);
        let middle = if self.columns() % 2 == 1 { self.left << pairs } else { Squares::EMPTY };
        (0..pairs).fold(set & middle, |mirrored, column| {
            let (left, apart) = (self.left << column, last - 2 * column);
            mirrored | (set & left) << apart | (set >> apart) & left
        })
    }
}

#[cfg(test)]
mod tests;
