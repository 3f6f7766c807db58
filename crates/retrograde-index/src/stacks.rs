//! Stacks: discs of two kinds, stacked in columns as in Connect Four.

use std::ops::{ControlFlow, Range};

use crate::error::IndexError;
use crate::sets::bits::{Bits, Processor, Task};
use crate::sets::combinations::{Combinations, binomial, colex_rank};
use crate::sets::gather::scatter;
use crate::sets::subsets;

/// The most ways to fill the columns, that is, sets of heights.
const MAX_FILLINGS: u32 = 1 << 22;

/// The numbering of two disjoint sets that together fill columns from the bottom. The first set has
/// half of the squares, rounded down. These are the discs of the side to move and of its opponent,
/// if they take turns.
///
/// Squares are numbered row by row from the upper left. There are no gaps, and positions with more
/// discs have greater indices.
///
/// ```
/// use retrograde_index::Stacks;
///
/// let numbering = Stacks::new(2, 2)?;
/// // One empty board; one disc of the opponent in either column; one disc of each; …
/// assert_eq!(numbering.count(), 1 + 2 + 6 + 6 + 6);
/// assert_eq!(numbering.of_discs(1), 1..3);
/// let index = numbering.rank([0b0100, 0b1000]).unwrap();
/// assert_eq!(numbering.unrank(index), Some([0b0100, 0b1000]));
/// assert_eq!(numbering.rank([0b0001, 0b1000]), None); // A disc in mid-air.
/// # Ok::<(), retrograde_index::IndexError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stacks {
    rows: u32,
    /// The squares of each column, and of the board.
    columns: Vec<u64>,
    board: u64,
    /// The fillings with their first index, those with fewer squares first.
    fillings: Vec<(u64, u64)>,
    /// The first index of a filling, by the heights of the columns.
    first: Vec<u64>,
    count: u64,
    subsets: Combinations,
    processor: Processor,
}

impl Stacks {
    /// Creates the numbering for a board.
    ///
    /// # Errors
    /// If it has more than 64 squares, or more than four million ways to fill its columns.
    pub fn new(columns: u32, rows: u32) -> Result<Stacks, IndexError> {
        let subsets = Combinations::new(columns.saturating_mul(rows))?;
        let all = rows.checked_add(1).and_then(|base| base.checked_pow(columns)).unwrap_or(u32::MAX);
        if all > MAX_FILLINGS {
            return Err(IndexError::TooManyStates { states: all.into(), limit: MAX_FILLINGS.into() });
        }
        let column =
            |column| (0..rows).fold(0_u64, |squares, row| squares | 1_u64 << (row * columns + column));
        let columns: Vec<u64> = (0..columns).map(column).collect();
        let board = columns.iter().fold(0, |board, column| board | column);
        let (fillings, first) = (Vec::new(), vec![0; all as usize]);
        let processor = Processor::detect();
        let mut stacks = Stacks { rows, columns, board, fillings, first, count: 0, subsets, processor };
        let mut fillings: Vec<u64> = (0..all).map(|heights| stacks.filled(heights)).collect();
        fillings.sort_by_key(|filled| filled.count_ones());
        for filled in fillings {
            let (discs, heights) = (filled.count_ones(), stacks.heights(filled));
            stacks.first[heights] = stacks.count;
            stacks.fillings.push((stacks.count, filled));
            let positions = binomial(discs, discs / 2).and_then(|positions| u64::try_from(positions).ok());
            let count = positions.and_then(|positions| stacks.count.checked_add(positions));
            stacks.count = count.ok_or(IndexError::TooMany)?;
        }
        Ok(stacks)
    }

    /// The number of arrangements.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The indices of the arrangements with `discs` discs.
    pub fn of_discs(&self, discs: u32) -> Range<u64> {
        let start = |discs| {
            let place = self.fillings.partition_point(|(_, filled)| filled.count_ones() < discs);
            self.fillings.get(place).map_or(self.count, |(first, _)| *first)
        };
        start(discs)..start(discs.saturating_add(1))
    }

    /// The index of two sets; `None` if they overlap, there is a gap below a disc, or the numbers
    /// of discs do not match players who take turns.
    #[inline]
    pub fn rank(&self, sets: [u64; 2]) -> Option<u64> {
        self.processor.run(Rank { stacks: self, sets })
    }

    /// The sets with an index; `None` past the end.
    #[inline]
    pub fn unrank(&self, index: u64) -> Option<[u64; 2]> {
        if index >= self.count {
            return None;
        }
        let (first, filled) = self.fillings[self.filling_at(index)];
        let own = scatter(self.subsets.unrank(filled.count_ones() / 2, index - first)?, filled);
        Some([own, filled & !own])
    }

    /// Visits the sets of a range of indices with their indices, greatest index first, until the
    /// visitor stops. Skips indices past the end.
    #[inline]
    pub fn walk_down<F>(&self, indices: Range<u64>, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(u64, [u64; 2]) -> ControlFlow<()>,
    {
        let mut end = indices.end.min(self.count);
        while indices.start < end {
            let (first, filled) = self.fillings[self.filling_at(end - 1)];
            let start = first.max(indices.start);
            let mut own = self.unrank(end - 1).map(|[own, _]| own);
            // While the filling stays the same, only the discs of one side change.
            for index in (start..end).rev() {
                let Some(set) = own else { break };
                visit(index, [set, filled ^ set])?;
                own = subsets::previous(set, filled);
            }
            end = start;
        }
        ControlFlow::Continue(())
    }

    /// The number of the filling for an index, which must be below the count.
    fn filling_at(&self, index: u64) -> usize {
        self.fillings.partition_point(|(first, _)| *first <= index) - 1
    }

    /// The heights of the columns as the digits of a number.
    #[inline(always)]
    fn heights(&self, filled: u64) -> usize {
        let mut digits = 0;
        for column in &self.columns {
            digits = digits * (self.rows + 1) + (filled & column).count_ones();
        }
        digits as usize
    }

    /// The squares below the given heights.
    fn filled(&self, mut heights: u32) -> u64 {
        let columns = self.columns.len() as u32;
        self.columns.iter().rev().fold(0, |filled, column| {
            let empty = columns * (self.rows - heights % (self.rows + 1));
            heights /= self.rows + 1;
            filled | column & u64::MAX.checked_shl(empty).unwrap_or(0)
        })
    }
}

/// The task that ranks stacks.
struct Rank<'a> {
    stacks: &'a Stacks,
    sets: [u64; 2],
}

impl Task for Rank<'_> {
    type Output = Option<u64>;

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> Option<u64> {
        let Rank { stacks, sets: [own, other] } = self;
        let filled = own | other;
        let below = filled << stacks.columns.len().min(63) & stacks.board;
        let stacked = filled & !stacks.board == 0 && below & !filled == 0;
        let half = filled.count_ones() / 2;
        if !stacked || own & other != 0 || own.count_ones() != half {
            return None;
        }
        Some(stacks.first[stacks.heights(filled)] + colex_rank(half, bits.gather(own, filled)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pairs of sets that are stacks of players who take turns, found by enumeration.
    fn plain(columns: u32, rows: u32) -> Vec<[u64; 2]> {
        let squares = columns * rows;
        let all = (1_u64 << squares) - 1;
        let supported = |filled: u64| filled & (all >> columns) & !(filled >> columns) == 0;
        let mut found = Vec::new();
        for filled in (0..=all).filter(|&filled| supported(filled)) {
            let mut own = filled;
            loop {
                if own.count_ones() == filled.count_ones() / 2 {
                    found.push([own, filled & !own]);
                }
                if own == 0 {
                    break;
                }
                own = (own - 1) & filled;
            }
        }
        found
    }

    #[test]
    fn numbers_agree_with_an_enumeration() {
        for (columns, rows) in
            [(1, 1), (1, 5), (5, 1), (2, 2), (3, 2), (2, 3), (3, 3), (4, 3), (3, 4), (12, 1)]
        {
            let stacks = Stacks::new(columns, rows).unwrap();
            let plain = plain(columns, rows);
            assert_eq!(stacks.count(), plain.len() as u64, "{columns}x{rows}");
            let mut met = vec![false; plain.len()];
            for sets in plain {
                let index = stacks.rank(sets).unwrap();
                assert_eq!(stacks.unrank(index), Some(sets), "{columns}x{rows} {index}");
                assert!(!std::mem::replace(&mut met[index as usize], true));
                let discs = (sets[0] | sets[1]).count_ones();
                assert!(stacks.of_discs(discs).contains(&index));
            }
            assert!(stacks.unrank(stacks.count()).is_none() && stacks.unrank(u64::MAX).is_none());
            let squares = columns * rows;
            assert_eq!(stacks.of_discs(squares + 1), stacks.count()..stacks.count());
            assert_eq!(stacks.of_discs(0), 0..1);
        }
    }

    #[test]
    fn a_walk_goes_down_step_by_step() {
        for (columns, rows) in [(1, 1), (1, 5), (2, 2), (3, 2), (3, 3), (12, 1), (2, 6)] {
            let stacks = Stacks::new(columns, rows).unwrap();
            let count = stacks.count();
            for (start, end) in [
                (0, count),
                (0, u64::MAX),
                (count / 3, count / 2),
                (count - 1, count),
                (5, 2),
                (count, count + 1),
            ] {
                let mut met = Vec::new();
                let walk = stacks.walk_down(start..end, |index, sets| {
                    met.push((index, sets));
                    ControlFlow::Continue(())
                });
                assert!(walk.is_continue());
                let indices = (start..end.min(count)).rev();
                let expected: Vec<_> = indices.map(|index| (index, stacks.unrank(index).unwrap())).collect();
                assert_eq!(met, expected, "{columns}x{rows} {start}..{end}");
            }
            let mut left = 3.min(count);
            let walk = stacks.walk_down(0..count, |_, _| {
                left -= 1;
                if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert!(walk.is_break() && left == 0);
        }
    }

    #[test]
    fn numbers_are_the_same_without_special_instructions() {
        let stacks = Stacks::new(3, 3).unwrap();
        let plain = Stacks { processor: Processor::plain(), ..stacks.clone() };
        for index in 0..stacks.count() {
            assert_eq!(plain.rank(stacks.unrank(index).unwrap()), Some(index));
        }
    }

    #[test]
    fn sets_that_are_not_stacks_have_no_number() {
        let stacks = Stacks::new(3, 2).unwrap();
        let all: u64 = (1 << 6) - 1;
        let stacked = plain(3, 2);
        for own in 0..=all {
            for other in 0..=all {
                let known = stacked.contains(&[own, other]);
                assert_eq!(stacks.rank([own, other]).is_some(), known, "{own:b} {other:b}");
            }
        }
        assert_eq!(stacks.rank([0, 1 << 40]), None);
        for (columns, rows) in [(9, 8), (13, 4), (u32::MAX, 2), (2, u32::MAX)] {
            assert!(Stacks::new(columns, rows).is_err(), "{columns}x{rows}");
        }
    }
}
