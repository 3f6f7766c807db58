//! Colexicographic ranks of sets on boards of up to 26 squares, with two lookups instead of one per square.
//! The rank of a set is a sum of binomials of its squares. The binomials of the upper half depend on the
//! lower half only through its size.

use std::sync::Arc;

use crate::sets::combinations::colex_rank;

/// The largest board with tables, which take half a megabyte.
const SQUARES: u32 = 26;

/// Ranks by halves of the board. Larger boards have no tables.
#[derive(Clone, Debug)]
pub(crate) struct ColexRanks {
    half: u32,
    /// By the lower half of a set.
    lower: Arc<[u32]>,
    /// By the size of the lower half, then by the upper half.
    upper: Arc<[u32]>,
}

impl ColexRanks {
    pub fn new(squares: u32) -> ColexRanks {
        if squares > SQUARES {
            return ColexRanks { half: 0, lower: Arc::new([]), upper: Arc::new([]) };
        }
        let half = squares.div_ceil(2);
        let rank = |set: u64| colex_rank(set.count_ones(), set) as u32;
        let lower = (0..1_u64 << half).map(rank).collect();
        // A lower half that consists of its lowest squares has rank 0.
        let upper = (0..=half).flat_map(|size| {
            let least = (1_u64 << size) - 1;
            (0..1_u64 << half).map(move |set| rank(set << half | least))
        });
        ColexRanks { half, lower, upper: upper.collect() }
    }

    /// The rank of a set of `count` squares among the sets of this size.
    #[inline(always)]
    pub fn rank(&self, count: u32, set: u64) -> u64 {
        let low = set & ((1 << self.half) - 1);
        let high = (u64::from(low.count_ones()) << self.half) + (set >> self.half);
        match (self.lower.get(low as usize), self.upper.get(high as usize)) {
            (Some(&lower), Some(&upper)) => u64::from(lower) + u64::from(upper),
            _ => colex_rank(count, set),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_equal_the_sum_of_binomials() {
        for squares in [0, 1, 2, 3, 9, 16, 24, 25, 26, 27, 40, 64] {
            let ranks = ColexRanks::new(squares);
            let board = if squares == 0 { 0 } else { u64::MAX >> (64 - squares) };
            for seed in 0..20_000_u64 {
                let set = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(seed as u32 % 64) & board;
                let count = set.count_ones();
                assert_eq!(ranks.rank(count, set), colex_rank(count, set), "{squares} squares, {set:x}");
            }
            assert_eq!(ranks.rank(squares, board), 0);
        }
    }
}
