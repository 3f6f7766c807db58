//! The indices of consecutive blocks, each with the arrangements of the same counts. A block is found by its
//! counts with one lookup, or by an index.

use std::ops::{Range, RangeInclusive};

use crate::error::IndexError;

/// The most places of the table, and the most blocks.
const MAX_PLACES: usize = 1 << 22;
/// The entry of a place without a block.
const NONE: u32 = u32::MAX;

/// The range of each block.
#[derive(Clone, Debug)]
pub(crate) struct BlockRanges<const K: usize> {
    /// The block, or [`NONE`], by the counts as digits of a mixed radix.
    places: Vec<u32>,
    /// The least count of each set, and the number of counts from there on.
    least: [u32; K],
    spans: [u32; K],
    /// The first index of each block, and the end of the last.
    starts: Vec<u64>,
}

/// All combinations of these counts that fit on `squares` squares, in lexicographic order.
///
/// # Errors
/// If there are more than 64 squares, or too many combinations.
pub(crate) fn combinations_of_counts<const K: usize>(
    squares: u32,
    counts: &[RangeInclusive<u32>; K],
) -> Result<Vec<[u32; K]>, IndexError> {
    check_squares(squares)?;
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
            return Err(too_many(blocks.len() as u128));
        }
    }
    Ok(blocks)
}

fn check_squares(squares: u32) -> Result<(), IndexError> {
    if squares > 64 { Err(IndexError::TooManySquares { squares }) } else { Ok(()) }
}

fn too_many(states: u128) -> IndexError {
    IndexError::TooManyStates { states, limit: MAX_PLACES as u128 }
}

impl<const K: usize> BlockRanges<K> {
    /// Creates the blocks with these counts on `squares` squares. Their sizes must be added in the
    /// same order ([`BlockRanges::add`]).
    ///
    /// # Errors
    /// If there are more than 64 squares or too many blocks; if the counts of a block do not fit on
    /// the board, or two blocks have the same counts.
    pub fn new(squares: u32, blocks: &[[u32; K]]) -> Result<BlockRanges<K>, IndexError> {
        check_squares(squares)?;
        let (mut least, mut spans) = ([0; K], [0; K]);
        for counts in blocks {
            let pieces = counts.iter().map(|&count| u64::from(count)).sum();
            if pieces > u64::from(squares) {
                return Err(IndexError::TooManyPieces { pieces, squares });
            }
        }
        for set in 0..K {
            let counts = || blocks.iter().map(|block| block[set]);
            if let (Some(from), Some(to)) = (counts().min(), counts().max()) {
                (least[set], spans[set]) = (from, to - from + 1);
            }
        }
        let places = spans.iter().fold(1_u128, |product, &span| product.saturating_mul(u128::from(span)));
        if places > MAX_PLACES as u128 {
            return Err(too_many(places));
        }
        let mut table = BlockRanges { places: vec![NONE; places as usize], least, spans, starts: vec![0] };
        for (block, &counts) in blocks.iter().enumerate() {
            match table.place(counts) {
                Some(place) if table.places[place] == NONE => table.places[place] = block as u32,
                _ => return Err(IndexError::RepeatedBlock { block }),
            }
        }
        Ok(table)
    }

    #[inline(always)]
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

    /// The number of the block with these counts. If there is no such block, `None` or a number past all
    /// blocks.
    #[inline(always)]
    pub fn block(&self, counts: [u32; K]) -> Option<usize> {
        self.places.get(self.place(counts)?).map(|&block| block as usize)
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
