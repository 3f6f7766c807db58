//! Conversions between arrangements and indices, compiled for each kind of processor.

use super::{Arrangements, Block};
use crate::bits::{Bits, Task};
use crate::combinations::colex_rank;

/// From an arrangement to its index.
pub(super) struct Rank<'a, const K: usize> {
    pub numbering: &'a Arrangements<K>,
    pub sets: [u64; K],
}

impl<const K: usize> Task for Rank<'_, K> {
    type Output = Option<u64>;

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> Option<u64> {
        let Rank { numbering, sets } = self;
        let mut counts = [0; K];
        for (count, set) in counts.iter_mut().zip(sets) {
            *count = set.count_ones();
        }
        let (_, block) = numbering.numbered_block(counts)?;
        let (mut free, mut within) = (numbering.board, 0);
        for (at, set) in sets.into_iter().enumerate() {
            if set & !free != 0 {
                return None;
            }
            // The squares of the whole board need no gathering.
            let gathered = if at == 0 { set } else { bits.gather(set, free) };
            within = within * block.radices[at] + colex_rank(counts[at], gathered);
            free ^= set;
        }
        Some(block.start + within)
    }
}

/// From a number within a block to the arrangement.
pub(super) struct Unrank<'a, const K: usize> {
    pub numbering: &'a Arrangements<K>,
    pub block: &'a Block<K>,
    pub within: u64,
}

impl<const K: usize> Task for Unrank<'_, K> {
    type Output = [u64; K];

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> [u64; K] {
        let Unrank { numbering, block, within } = self;
        // First the digits, then the sets.
        let (mut rest, mut sets) = (within, [0; K]);
        for at in (1..K).rev() {
            (rest, sets[at]) = block.divisors[at].divide(rest);
        }
        let (mut free, mut squares) = (numbering.board, numbering.squares);
        for at in 0..K {
            let digit = if at == 0 { rest } else { sets[at] };
            let set = numbering.lists.set(block.counts[at], squares, digit);
            sets[at] = if at == 0 { set } else { bits.scatter(set, free) };
            free ^= sets[at];
            squares -= block.counts[at];
        }
        sets
    }
}
