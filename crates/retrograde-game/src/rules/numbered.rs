//! A short way to implement [`Dense`]: return a ready-made numbering ([`Numbered`]).

use std::ops::Range;

use super::dense::{Dense, Index, numbers};
use super::game::{Flow, Game};

/// Gives each position its own number below a count, such as `Arrangements` or `Listed` of
/// `retrograde-index`. Some numbers may have no position.
pub trait Ranking<P> {
    /// The count that all numbers are below.
    fn number_count(&self) -> u64;

    /// The number of a position, or `None` for other positions.
    fn number_of(&self, position: &P) -> Option<u64>;

    /// The position with a number, or `None` if no position has it.
    fn position_at(&self, number: u64) -> Option<P>;

    /// Visits the positions of a range of numbers, largest number first, until the visitor stops.
    /// Skips numbers without a position.
    #[inline]
    fn positions_down(&self, range: Range<u64>, mut visit: impl FnMut(u64, P) -> Flow) -> Flow {
        for number in (range.start..range.end.min(self.number_count())).rev() {
            if let Some(position) = self.position_at(number) {
                visit(number, position)?;
            }
        }
        Flow::Continue(())
    }
}

/// A game that numbers its positions with a [`Ranking`]. This is the easiest way to implement [`Dense`].
pub trait Numbered: Game {
    /// Increase this when positions get different indices ([`Dense::INDEX_VERSION`]).
    const INDEX_VERSION: u32 = 1;

    /// The numbering.
    fn numbering(&self) -> &impl Ranking<Self::Position>;
}

impl<G: Numbered> Dense for G {
    const INDEX_VERSION: u32 = <G as Numbered>::INDEX_VERSION;

    fn index_count(&self) -> u128 {
        self.numbering().number_count().into()
    }

    #[inline]
    fn index(&self, position: &Self::Position) -> Option<Index> {
        self.numbering().number_of(position).map(Index)
    }

    #[inline]
    fn position(&self, index: Index) -> Option<Self::Position> {
        self.numbering().position_at(index.0)
    }

    #[inline]
    fn walk_down(&self, indices: Range<Index>, mut visit: impl FnMut(Index, Self::Position) -> Flow) -> Flow {
        self.numbering().positions_down(numbers(indices), |number, position| visit(Index(number), position))
    }
}
