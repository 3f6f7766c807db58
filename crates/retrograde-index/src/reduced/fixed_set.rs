//! Ranks many arrangements of two sets that share one of them, such as the positions after the
//! turns of one player. Work on the shared set is done once.

use super::{Block, Rank, ReducedArrangements};
use crate::sets::bits::{Bits, Task};
use crate::symmetry::board_symmetry::BoardSymmetry;

/// Ranks arrangements of two sets, one of them fixed ([`ReducedArrangements::fixing`]).
#[derive(Clone, Copy, Debug)]
pub struct FixedSetRanker<'a> {
    numbering: &'a ReducedArrangements<2>,
    block: &'a Block<2>,
    /// The place of the fixed set.
    at: usize,
    set: u64,
    /// Present if the fixed set is the leading one.
    pub(super) led: Option<Led<'a>>,
}

/// Data derived from the leading set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Led<'a> {
    class: u64,
    /// The symmetry that maps it to the representative of its class.
    symmetry: &'a BoardSymmetry,
    representative: u64,
    /// The symmetries that fix the representative.
    stabiliser: &'a [u16],
}

impl ReducedArrangements<2> {
    /// Creates a ranker for arrangements in which the set at `at` (0 or 1) is `set` and the other
    /// one has `other` squares. Returns `None` if no such arrangement is numbered.
    #[inline]
    pub fn fixing(&self, at: usize, set: u64, other: u32) -> Option<FixedSetRanker<'_>> {
        if set & !self.board != 0 {
            return None;
        }
        let count = set.count_ones();
        let counts = if at == 0 { [count, other] } else { [other, count] };
        let block = self.blocks.get(self.ranges.block(counts)?)?;
        let led = (block.lead == at).then(|| {
            let classes = self.classes(block);
            let (class, symmetry) = classes.class(&self.ranks, set);
            Led {
                class: class as u64,
                symmetry: &self.group.symmetries()[symmetry],
                representative: classes.representative(class),
                stabiliser: classes.stabiliser(class),
            }
        });
        Some(FixedSetRanker { numbering: self, block, at, set, led })
    }
}

impl FixedSetRanker<'_> {
    /// The index of the arrangement with this other set. `None` if the sets overlap, or `other`
    /// leaves the board or does not have the promised number of squares.
    #[inline]
    pub fn rank(&self, other: u64) -> Option<u64> {
        self.numbering.processor.run(RankFixed { fixed: self, other })
    }
}

struct RankFixed<'a> {
    fixed: &'a FixedSetRanker<'a>,
    other: u64,
}

impl Task for RankFixed<'_> {
    type Output = Option<u64>;

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> Option<u64> {
        let RankFixed { fixed: &FixedSetRanker { numbering, block, at, set, led }, other } = self;
        let Some(Led { class, symmetry, representative, stabiliser }) = led else {
            let sets = if at == 0 { [set, other] } else { [other, set] };
            // Other numbers of squares may have a block, but are not accepted here.
            return Rank { numbering, sets }
                .run(bits)
                .filter(|_| other.count_ones() == block.digits.counts[0]);
        };
        if other & (set | !numbering.board) != 0 || other.count_ones() != block.digits.counts[1] {
            return None;
        }
        let image = symmetry.image(other);
        let least = stabiliser.iter().fold(image, |least, &symmetry| {
            least.min(numbering.group.symmetries()[usize::from(symmetry)].image(image))
        });
        let free = numbering.board ^ representative;
        Some(
            block.start + block.digits.rank(bits, &numbering.ranks, 1, class, &[representative, least], free),
        )
    }
}
