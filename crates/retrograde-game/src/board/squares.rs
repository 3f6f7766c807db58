//! Squares of boards with up to 64 squares, and sets of them as the bits of one word (*bitboards*).
//!
//! Each game decides how it numbers its squares. Larger boards, such as boards of mate in one, use wider
//! integers and lists.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// A square of a board: a number from 0 to 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct Square(pub u8);

impl Square {
    /// The number as an index into a list.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set that holds this square alone.
    #[inline]
    #[must_use]
    pub const fn set(self) -> Squares {
        Squares(1 << self.0)
    }
}

/// A set of squares: bit `n` is square `n`.
///
/// ```
/// use retrograde_game::{Square, Squares};
///
/// let set = Square(3).set() | Square(5).set();
/// assert!(set.contains(Square(5)) && set.len() == 2);
/// assert_eq!(set.first(), Some(Square(3)));
/// assert_eq!(set.without(Square(3)), Square(5).set());
/// assert_eq!(set.into_iter().map(|square| square.0).collect::<Vec<_>>(), [3, 5]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Squares(pub u64);

impl Squares {
    /// No square.
    pub const EMPTY: Squares = Squares(0);

    /// The first `count` squares; `count` is from 0 to 64.
    #[inline]
    #[must_use]
    pub const fn below(count: usize) -> Squares {
        Squares(if count >= 64 { u64::MAX } else { (1 << count) - 1 })
    }

    /// Whether no square is in the set.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of squares in the set.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether a square is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// Whether the two sets share a square.
    #[inline]
    #[must_use]
    pub const fn intersects(self, other: Squares) -> bool {
        self.0 & other.0 != 0
    }

    /// The lowest square.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(self.0.trailing_zeros() as u8)) }
    }

    /// The set and one more square.
    #[inline]
    #[must_use]
    pub const fn with(self, square: Square) -> Squares {
        Squares(self.0 | 1 << square.0)
    }

    /// The set except one square.
    #[inline]
    #[must_use]
    pub const fn without(self, square: Square) -> Squares {
        Squares(self.0 & !(1 << square.0))
    }

    /// Adds a square.
    #[inline]
    pub const fn insert(&mut self, square: Square) {
        *self = self.with(square);
    }

    /// Removes the lowest square and returns it. Always inlined, even into code for special instruction sets.
    #[inline(always)]
    pub const fn pop_first(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let first = Square(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(first)
    }

    /// The set after a half turn of a board with `count` squares: square `n` becomes `count - 1 -
    /// n`. `count` is from 1 to 64.
    #[inline]
    #[must_use]
    pub const fn rotated(self, count: u32) -> Squares {
        Squares(self.0.reverse_bits() >> (64 - count))
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Squares({:#b})", self.0)
    }
}

impl From<Square> for Squares {
    #[inline]
    fn from(square: Square) -> Squares {
        square.set()
    }
}

impl FromIterator<Square> for Squares {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Squares {
        squares.into_iter().fold(Squares::EMPTY, Squares::with)
    }
}

impl IntoIterator for Squares {
    type Item = Square;
    type IntoIter = SquaresIter;

    /// The squares, lowest first.
    #[inline(always)]
    fn into_iter(self) -> SquaresIter {
        SquaresIter(self)
    }
}

/// The squares of a set, lowest first.
#[derive(Clone, Debug)]
pub struct SquaresIter(Squares);

impl Iterator for SquaresIter {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        self.0.pop_first()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for SquaresIter {}

/// Implements an operator on sets as the operator on their bits.
macro_rules! bit_operator {
    ($($operator:ident $function:ident $assign:ident $assign_function:ident;)*) => {$(
        impl $operator for Squares {
            type Output = Squares;

            #[inline]
            fn $function(self, other: Squares) -> Squares {
                Squares(self.0.$function(other.0))
            }
        }

        impl $assign for Squares {
            #[inline]
            fn $assign_function(&mut self, other: Squares) {
                self.0.$assign_function(other.0);
            }
        }
    )*};
}

bit_operator! {
    BitAnd bitand BitAndAssign bitand_assign;
    BitOr bitor BitOrAssign bitor_assign;
    BitXor bitxor BitXorAssign bitxor_assign;
}

impl Not for Squares {
    type Output = Squares;

    /// All other numbers from 0 to 63, including those past the end of the board.
    #[inline]
    fn not(self) -> Squares {
        Squares(!self.0)
    }
}

impl Shl<u32> for Squares {
    type Output = Squares;

    #[inline]
    fn shl(self, by: u32) -> Squares {
        Squares(self.0 << by)
    }
}

impl Shr<u32> for Squares {
    type Output = Squares;

    #[inline]
    fn shr(self, by: u32) -> Squares {
        Squares(self.0 >> by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_squares_behave_as_sets() {
        let set: Squares = [0, 7, 63].map(Square).into_iter().collect();
        assert_eq!(set, Squares(1 << 63 | 1 << 7 | 1));
        assert_eq!(set.into_iter().len(), 3);
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [0, 7, 63].map(Square));
        assert!(set.contains(Square(63)) && !set.contains(Square(62)));
        assert_eq!((set.first(), Squares::EMPTY.first()), (Some(Square(0)), None));
        assert_eq!(set.without(Square(7)).with(Square(8)) & !Square(63).set(), Squares(257));
        assert!(set.intersects(Square(7).set()) && !set.intersects(Square(6).set()));
        assert_eq!([0, 1, 63, 64].map(|count| Squares::below(count).len()), [0, 1, 63, 64]);
        assert_eq!(Squares(0b0011).rotated(4), Squares(0b1100));
        assert_eq!(set.rotated(64), Squares(1 << 63 | 1 << 56 | 1));
        let mut rest = set;
        assert_eq!([rest.pop_first(), rest.pop_first()], [Some(Square(0)), Some(Square(7))]);
        assert_eq!((rest.pop_first(), rest.pop_first()), (Some(Square(63)), None));
        assert_eq!(format!("{:?}", Squares(5)), "Squares(0b101)");
    }
}
