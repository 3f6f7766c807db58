//! Finds the block of an arrangement from the counts of its sets, with one lookup.

use std::ops::RangeInclusive;

use crate::error::IndexError;

/// The most places of the table, and the most blocks.
const MAX_PLACES: usize = 1 << 22;
/// The entry of a place without a block.
const NONE: u32 = u32::MAX;

/// The numbers of blocks by their counts.
#[derive(Clone, Debug)]
pub(crate) struct CountTable<const K: usize> {
    /// The block, or [`NONE`], by the counts as digits of a mixed radix.
    places: Vec<u32>,
    /// The least count of each set, and the number of counts from there on.
    least: [u32; K],
    spans: [u32; K],
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

impl<const K: usize> CountTable<K> {
    /// Creates the table of blocks with these counts on `squares` squares.
    ///
    /// # Errors
    /// If there are more than 64 squares or too many blocks; if the counts of a block do not fit on
    /// the board, or two blocks have the same counts.
    pub fn new(squares: u32, blocks: &[[u32; K]]) -> Result<CountTable<K>, IndexError> {
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
        let mut table = CountTable { places: vec![NONE; places as usize], least, spans };
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
}
