//! Arrangements: K disjoint sets of squares of one board, as pieces of K kinds stand on it.
//!
//! All arrangements with the same counts form a *block*; blocks stand one after the other. Within a
//! block an index is a number in mixed radix, the last set counting fastest: the digit of a set is
//! its rank, in colexicographic order, among the sets of its size on the squares that the sets
//! before it leave free.

mod convert;
#[cfg(test)]
mod tests;
mod walk;

use std::ops::{Range, RangeInclusive};

use crate::bits::Processor;
use crate::colex_lists::ColexLists;
use crate::combinations::Combinations;
use crate::divisor::Divisor;
use crate::error::IndexError;
use convert::{Rank, Unrank};
pub use walk::Walk;

/// Places of the table that leads from counts to blocks, at most.
const MAX_PLACES: usize = 1 << 22;
/// A place of that table that no block has.
const NONE: u32 = u32::MAX;

/// The numbering of K disjoint sets of squares on a board of up to 64, with given or variable
/// counts.
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
/// // Neighbours are stepped to, which is quicker than to unrank them.
/// assert!(numbering.walk(0..24).rev().eq((0..24).rev().map(|i| numbering.unrank(i).unwrap())));
/// # Ok::<(), retrograde_index::IndexError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Arrangements<const K: usize> {
    squares: u32,
    /// All squares of the board.
    board: u64,
    blocks: Vec<Block<K>>,
    /// The first index of each block, and the end.
    starts: Vec<u64>,
    /// By the counts, as digits of a mixed radix: the block, or [`NONE`].
    by_counts: Vec<u32>,
    /// The least count of each set, and how many counts from there on have a place in `by_counts`.
    least: [u32; K],
    spans: [u32; K],
    lists: ColexLists,
    processor: Processor,
}

/// The arrangements with the same counts.
#[derive(Clone, Debug)]
struct Block<const K: usize> {
    start: u64,
    counts: [u32; K],
    /// For each set the number of sets of its size on what the ones before it leave free.
    radices: [u64; K],
    divisors: [Divisor; K],
}

impl<const K: usize> Arrangements<K> {
    /// The arrangements on so many squares in which the i-th set has one of the counts `counts[i]`;
    /// blocks stand in lexicographic order of the counts. Counts that do not fit on the board
    /// together have no block.
    ///
    /// # Errors
    /// If there are more than 64 squares, more arrangements than 64 bits can number, or too many
    /// blocks.
    pub fn new(squares: u32, counts: [RangeInclusive<u32>; K]) -> Result<Arrangements<K>, IndexError> {
        if squares > 64 {
            return Err(IndexError::TooManySquares { squares });
        }
        let mut blocks = vec![[0; K]];
        for (set, counts) in counts.iter().enumerate() {
            let mut longer = Vec::new();
            for block in &blocks {
                let free = squares - block.iter().sum::<u32>();
                for count in *counts.start()..=free.min(*counts.end()) {
                    let mut block = *block;
                    block[set] = count;
                    longer.push(block);
                }
            }
            blocks = longer;
            if blocks.len() > MAX_PLACES {
                return Err(too_many_places(blocks.len() as u128));
            }
        }
        Arrangements::of_counts(squares, &blocks)
    }

    /// The arrangements on so many squares with these counts, block after block.
    ///
    /// # Errors
    /// If there are more than 64 squares, more arrangements than 64 bits can number or too many
    /// blocks; if the counts of a block do not fit on the board, or two blocks have the same.
    pub fn of_counts(squares: u32, blocks: &[[u32; K]]) -> Result<Arrangements<K>, IndexError> {
        if squares > 64 {
            return Err(IndexError::TooManySquares { squares });
        }
        let (mut least, mut spans) = ([0; K], [0; K]);
        for set in 0..K {
            let counts = || blocks.iter().map(|block| block[set]);
            if let (Some(from), Some(to)) = (counts().min(), counts().max()) {
                if to > squares {
                    return Err(IndexError::TooManyPieces { pieces: u64::from(to), squares });
                }
                (least[set], spans[set]) = (from, to - from + 1);
            }
        }
        let places = spans.iter().map(|&span| u128::from(span)).product::<u128>();
        let places = usize::try_from(places)
            .ok()
            .filter(|&places| places <= MAX_PLACES)
            .ok_or_else(|| too_many_places(places))?;
        let most = blocks.iter().flatten().copied().max().unwrap_or(0);
        let mut numbering = Arrangements {
            squares,
            board: if squares == 64 { u64::MAX } else { (1 << squares) - 1 },
            blocks: Vec::with_capacity(blocks.len()),
            starts: vec![0],
            by_counts: vec![NONE; places],
            least,
            spans,
            lists: ColexLists::new(squares, most),
            processor: Processor::detect(),
        };
        blocks.iter().try_for_each(|&counts| numbering.add_block(counts))?;
        Ok(numbering)
    }

    fn add_block(&mut self, counts: [u32; K]) -> Result<(), IndexError> {
        let (number, squares, start) = (self.blocks.len(), self.squares, self.count());
        let (mut free, mut count, mut radices) = (squares, 1_u64, [0; K]);
        for (radix, &taken) in radices.iter_mut().zip(&counts) {
            *radix = Combinations::new(free)?.count(taken);
            count = count.checked_mul(*radix).ok_or(IndexError::TooMany)?;
            free = free.checked_sub(taken).ok_or_else(|| {
                let pieces = counts.iter().map(|&count| u64::from(count)).sum();
                IndexError::TooManyPieces { pieces, squares }
            })?;
        }
        match self.place(counts) {
            Some(place) if self.by_counts[place] == NONE => self.by_counts[place] = number as u32,
            _ => return Err(IndexError::RepeatedBlock { block: number }),
        }
        let end = start.checked_add(count).ok_or(IndexError::TooMany)?;
        self.blocks.push(Block { start, counts, radices, divisors: radices.map(Divisor::new) });
        self.starts.push(end);
        Ok(())
    }

    /// The place of counts in the table of blocks.
    #[inline]
    fn place(&self, counts: [u32; K]) -> Option<usize> {
        let mut place = 0;
        for (set, count) in counts.into_iter().enumerate() {
            let above = count.wrapping_sub(self.least[set]);
            if above >= self.spans[set] {
                return None;
            }
            place = place * self.spans[set] as usize + above as usize;
        }
        Some(place)
    }

    /// The block with these counts, and its number.
    #[inline]
    fn numbered_block(&self, counts: [u32; K]) -> Option<(usize, &Block<K>)> {
        let number = *self.by_counts.get(self.place(counts)?)? as usize;
        // No block has the number `NONE`.
        self.blocks.get(number).map(|block| (number, block))
    }

    /// The number of arrangements.
    pub fn count(&self) -> u64 {
        self.starts[self.starts.len() - 1]
    }

    /// The indices of the arrangements with these counts; `None` if no block has them.
    pub fn block(&self, counts: [u32; K]) -> Option<Range<u64>> {
        let (number, block) = self.numbered_block(counts)?;
        Some(block.start..self.starts[number + 1])
    }

    /// The index of an arrangement; `None` if its sets overlap or leave the board, or no block has
    /// its counts.
    #[inline]
    pub fn rank(&self, sets: [u64; K]) -> Option<u64> {
        self.processor.run(Rank { numbering: self, sets })
    }

    /// The number of the block that has an index.
    #[inline]
    fn block_at(&self, index: u64) -> Option<usize> {
        (index < self.count()).then(|| self.starts.partition_point(|&start| start <= index) - 1)
    }

    /// The arrangement that has an index; `None` past the end.
    #[inline]
    pub fn unrank(&self, index: u64) -> Option<[u64; K]> {
        let number = self.block_at(index)?;
        let block = &self.blocks[number];
        Some(self.processor.run(Unrank { numbering: self, block, within: index - block.start }))
    }

    /// The arrangements of a range of indices in their order, from either end; what lies past the
    /// last index is left out.
    pub fn walk(&self, indices: Range<u64>) -> Walk<'_, K> {
        Walk::new(self, indices)
    }
}

fn too_many_places(states: u128) -> IndexError {
    IndexError::TooManyStates { states, limit: MAX_PLACES as u128 }
}
