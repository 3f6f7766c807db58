//! Ranks many arrangements of two sets that share the first one, such as the positions after the turns of one
//! player, and all images of an arrangement. What they share is looked up once.

use std::ops::ControlFlow;

use super::{Arrangements, Block};
use crate::sets::bits::{Bits, Task};
use crate::symmetry::board_symmetry::BoardSymmetry;

/// Ranks arrangements of two sets with the same first set ([`Arrangements::fixing`]).
#[derive(Clone, Copy, Debug)]
pub struct FirstSetRanker<'a> {
    numbering: &'a Arrangements<2>,
    /// The index of the first arrangement with this first set.
    start: u64,
    free: u64,
    count: u32,
}

impl Arrangements<2> {
    /// Creates a ranker for arrangements in which the first set is `first` and the other one has `other` squares.
    /// Returns `None` if no such arrangement is numbered.
    #[inline]
    pub fn fixing(&self, first: u64, other: u32) -> Option<FirstSetRanker<'_>> {
        if first & !self.board != 0 {
            return None;
        }
        let count = first.count_ones();
        let block = self.blocks.get(self.ranges.block([count, other])?)?;
        let start = block.start + block.digits.after_first(self.ranks.rank(count, first));
        Some(FirstSetRanker { numbering: self, start, free: self.board ^ first, count: other })
    }
}

impl FirstSetRanker<'_> {
    /// The index of the arrangement with this other set. `None` if the sets overlap, or `other` leaves the
    /// board or does not have the promised number of squares.
    #[inline]
    pub fn rank(&self, other: u64) -> Option<u64> {
        self.numbering.processor.run(RankOther { ranker: self, other })
    }
}

struct RankOther<'a> {
    ranker: &'a FirstSetRanker<'a>,
    other: u64,
}

impl Task for RankOther<'_> {
    type Output = Option<u64>;

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> Option<u64> {
        let RankOther { ranker: &FirstSetRanker { numbering, start, free, count }, other } = self;
        if other & !free != 0 || other.count_ones() != count {
            return None;
        }
        Some(start + numbering.ranks.rank(count, bits.gather(other, free)))
    }
}

/// The number of images that are ranked together.
const TOGETHER: usize = 8;

impl<const K: usize> Arrangements<K> {
    /// Visits the indices of the images of an arrangement under some symmetries of the board, in their order,
    /// until the visitor stops. Visits nothing if the arrangement has no index.
    #[inline]
    pub fn each_image<F>(&self, sets: [u64; K], symmetries: &[BoardSymmetry], mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(u64) -> ControlFlow<()>,
    {
        let Some(block) = self.block_of(&sets) else { return ControlFlow::Continue(()) };
        for symmetries in symmetries.chunks(TOGETHER) {
            let task = RankImages { numbering: self, block, sets: &sets, symmetries };
            self.processor.run(task).into_iter().take(symmetries.len()).try_for_each(&mut visit)?;
        }
        ControlFlow::Continue(())
    }
}

struct RankImages<'a, const K: usize> {
    numbering: &'a Arrangements<K>,
    block: &'a Block<K>,
    sets: &'a [u64; K],
    /// At most [`TOGETHER`].
    symmetries: &'a [BoardSymmetry],
}

impl<const K: usize> Task for RankImages<'_, K> {
    type Output = [u64; TOGETHER];

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> [u64; TOGETHER] {
        let RankImages { numbering, block, sets, symmetries } = self;
        let mut indices = [0; TOGETHER];
        for (index, symmetry) in indices.iter_mut().zip(symmetries) {
            let mut images = *sets;
            for set in &mut images {
                *set = symmetry.image(*set);
            }
            *index = block.start + block.digits.rank(bits, &numbering.ranks, 0, 0, &images, numbering.board);
        }
        indices
    }
}
