//! The indices of consecutive blocks, each with the arrangements of the same counts.

use std::ops::Range;

use crate::count_table::CountTable;
use crate::error::IndexError;

/// The range of each block, found by its counts or by an index.
#[derive(Clone, Debug)]
pub(crate) struct BlockRanges<const K: usize> {
    by_counts: CountTable<K>,
    /// The first index of each block, and the end of the last.
    starts: Vec<u64>,
}

impl<const K: usize> BlockRanges<K> {
    /// Creates the blocks with these counts on `squares` squares. Their sizes must be added in the
    /// same order ([`BlockRanges::add`]).
    ///
    /// # Errors
    /// The same as [`CountTable::new`].
    pub fn new(squares: u32, blocks: &[[u32; K]]) -> Result<BlockRanges<K>, IndexError> {
        Ok(BlockRanges { by_counts: CountTable::new(squares, blocks)?, starts: vec![0] })
    }

    /// Adds the size of the next block and returns its first index.
    ///
    /// # Errors
    /// If there are more indices than 64 bits can number.
    pub fn add(&mut self, count: u64) -> Result<u64, IndexError> {
        let start = self.count();
        self.starts.push(start.checked_add(count).ok_or(IndexError::TooMany)?);
        Ok(start)
    }

    /// The number of indices.
    #[inline]
    pub fn count(&self) -> u64 {
        self.starts[self.starts.len() - 1]
    }

    /// The number of the block with these counts.
    #[inline]
    pub fn block(&self, counts: [u32; K]) -> Option<usize> {
        self.by_counts.block(counts)
    }

    /// The indices of the block with these counts.
    pub fn range(&self, counts: [u32; K]) -> Option<Range<u64>> {
        let block = self.block(counts)?;
        Some(*self.starts.get(block)?..*self.starts.get(block + 1)?)
    }

    /// The number of the block that contains an index.
    #[inline]
    pub fn block_at(&self, index: u64) -> Option<usize> {
        (index < self.count()).then(|| self.starts.partition_point(|&start| start <= index) - 1)
    }
}
