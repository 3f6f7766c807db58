//! Arrangements: K disjoint sets of squares of one board, for pieces of K kinds.
//!
//! All arrangements with the same counts form a *block*; blocks are consecutive. Within a block an
//! index is a number in mixed radix, with the last set least significant: the digit of a set is its
//! colexicographic rank among the sets of its size on the squares that the previous sets leave
//! free.

mod fixed_set;
#[cfg(test)]
mod tests;
mod walk;

use std::ops::{Range, RangeInclusive};

use crate::error::IndexError;
use crate::radix::block_ranges::{BlockRanges, combinations_of_counts};
use crate::radix::digits::Digits;
use crate::sets::bits::{Bits, Processor, Task};
use crate::sets::colex_lists::ColexLists;
use crate::sets::colex_ranks::ColexRanks;
pub use fixed_set::FirstSetRanker;

/// The numbering of K disjoint sets of squares on a board of up to 64 squares, with fixed or varying counts.
///
/// ```
/// use retrograde_index::Arrangements;
///
/// // One or two white pieces and one black one on four squares.
/// let numbering = Arrangements::new(4, [1..=2, 1..=1])?;
/// assert_eq!(numbering.count(), 4 * 3 + 6 * 2);
/// assert_eq!(numbering.rank([0b0001, 0b0010]), Some(0));
/// assert_eq!(numbering.unrank(23), Some([0b1100, 0b0010]));
/// assert_eq!(numbering.block([2, 1]), Some(12..24));
/// // Stepping to neighbours is faster than unranking them.
/// let _ = numbering.walk_down(0..24, |index, sets| {
///     assert_eq!(numbering.unrank(index), Some(sets));
///     std::ops::ControlFlow::Continue(())
/// });
/// # Ok::<(), retrograde_index::IndexError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Arrangements<const K: usize> {
    /// All squares of the board.
    board: u64,
    blocks: Vec<Block<K>>,
    ranges: BlockRanges<K>,
    lists: ColexLists,
    ranks: ColexRanks,
    processor: Processor,
}

/// The arrangements with the same counts.
#[derive(Clone, Debug)]
struct Block<const K: usize> {
    start: u64,
    digits: Digits<K>,
}

impl<const K: usize> Arrangements<K> {
    /// Creates the numbering of the arrangements on `squares` squares in which the i-th set has one
    /// of the counts `counts[i]`. Blocks are in lexicographic order of the counts. Combinations of
    /// counts that do not fit on the board have no block.
    ///
    /// # Errors
    /// If there are more than 64 squares, more arrangements than 64 bits can number, or too many blocks.
    pub fn new(squares: u32, counts: [RangeInclusive<u32>; K]) -> Result<Arrangements<K>, IndexError> {
        Arrangements::of_counts(squares, &combinations_of_counts(squares, &counts)?)
    }

    /// Creates the numbering of the arrangements on `squares` squares with these counts, block after block.
    ///
    /// # Errors
    /// If there are more than 64 squares, more arrangements than 64 bits can number or too many
    /// blocks; if the counts of a block do not fit on the board, or two blocks have the same
    /// counts.
    pub fn of_counts(squares: u32, blocks: &[[u32; K]]) -> Result<Arrangements<K>, IndexError> {
        let mut ranges = BlockRanges::new(squares, blocks)?;
        let mut made = Vec::with_capacity(blocks.len());
        for &counts in blocks {
            let digits = Digits::new(squares, counts)?;
            let count = digits.count_from(0).ok_or(IndexError::TooMany)?;
            made.push(Block { start: ranges.add(count)?, digits });
        }
        let most = blocks.iter().flatten().copied().max().unwrap_or(0);
        Ok(Arrangements {
            board: if squares == 0 { 0 } else { u64::MAX >> (64 - squares) },
            blocks: made,
            ranges,
            lists: ColexLists::new(squares, most),
            ranks: ColexRanks::new(squares),
            processor: Processor::detect(),
        })
    }

    /// The number of arrangements.
    pub fn count(&self) -> u64 {
        self.ranges.count()
    }

    /// The indices of the arrangements with these counts; `None` if no block has them.
    pub fn block(&self, counts: [u32; K]) -> Option<Range<u64>> {
        self.ranges.range(counts)
    }

    /// The index of an arrangement; `None` if its sets overlap or leave the board, or no block has
    /// its counts.
    #[inline]
    pub fn rank(&self, sets: [u64; K]) -> Option<u64> {
        self.processor.run(Rank { numbering: self, sets })
    }

    /// The arrangement with an index; `None` past the end.
    #[inline]
    pub fn unrank(&self, index: u64) -> Option<[u64; K]> {
        let block = &self.blocks[self.ranges.block_at(index)?];
        Some(self.processor.run(Unrank { numbering: self, block, within: index - block.start }))
    }

    /// The block of an arrangement; `None` if it has no index.
    #[inline(always)]
    fn block_of(&self, sets: &[u64; K]) -> Option<&Block<K>> {
        let (mut counts, mut free, mut apart) = ([0; K], self.board, true);
        for (count, set) in counts.iter_mut().zip(sets) {
            *count = set.count_ones();
            apart &= set & !free == 0;
            free &= !set;
        }
        let block = self.blocks.get(self.ranges.block(counts)?)?;
        apart.then_some(block)
    }
}

/// The task that ranks an arrangement.
struct Rank<'a, const K: usize> {
    numbering: &'a Arrangements<K>,
    sets: [u64; K],
}

impl<const K: usize> Task for Rank<'_, K> {
    type Output = Option<u64>;

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> Option<u64> {
        let Rank { numbering, sets } = self;
        let block = numbering.block_of(&sets)?;
        Some(block.start + block.digits.rank(bits, &numbering.ranks, 0, 0, &sets, numbering.board))
    }
}

/// The task that unranks a number within a block.
struct Unrank<'a, const K: usize> {
    numbering: &'a Arrangements<K>,
    block: &'a Block<K>,
    within: u64,
}

impl<const K: usize> Task for Unrank<'_, K> {
    type Output = [u64; K];

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> [u64; K] {
        let Unrank { numbering, block, within } = self;
        // The remainder is the first digit, without a division.
        let (head, mut sets) = block.digits.split(1, within);
        if let Some(first) = sets.first_mut() {
            *first = head;
        }
        block.digits.unrank(bits, &numbering.lists, 0, &mut sets, numbering.board);
        sets
    }
}
