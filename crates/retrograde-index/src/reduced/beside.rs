//! Indices of many arrangements of two sets that share one of them, as the positions after the turns
//! of one player do: what follows from the set that stays is found once.

use super::{Block, Rank, ReducedArrangements};
use crate::bits::{Bits, Task};
use crate::board_symmetry::BoardSymmetry;

/// Ranks arrangements of two sets that share one of them ([`ReducedArrangements::beside`]).
#[derive(Clone, Copy, Debug)]
pub struct Beside<'a> {
    numbering: &'a ReducedArrangements<2>,
    block: &'a Block<2>,
    /// Which set is shared.
    at: usize,
    set: u64,
    /// If it is the one that leads.
    pub(super) led: Option<Led<'a>>,
}

/// What follows from the set that leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Led<'a> {
    class: u64,
    /// By this it becomes the representative of its class.
    symmetry: &'a BoardSymmetry,
    representative: u64,
    /// The symmetries that leave the representative as it is.
    stabiliser: &'a [u16],
}

impl ReducedArrangements<2> {
    /// For arrangements in which one set (0 or 1) is this one, and the other has so many squares;
    /// `None` if none is numbered.
    #[inline]
    pub fn beside(&self, at: usize, set: u64, other: u32) -> Option<Beside<'_>> {
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
        Some(Beside { numbering: self, block, at, set, led })
    }
}

impl Beside<'_> {
    /// The index of the arrangement with this other set; `None` if the sets overlap, or this one
    /// leaves the board or has not the number of squares that was said.
    #[inline]
    pub fn rank(&self, other: u64) -> Option<u64> {
        self.numbering.processor.run(RankBeside { beside: self, other })
    }
}

struct RankBeside<'a> {
    beside: &'a Beside<'a>,
    other: u64,
}

impl Task for RankBeside<'_> {
    type Output = Option<u64>;

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> Option<u64> {
        let RankBeside { beside: &Beside { numbering, block, at, set, led }, other } = self;
        let Some(Led { class, symmetry, representative, stabiliser }) = led else {
            let sets = if at == 0 { [set, other] } else { [other, set] };
            // Other numbers of squares may have a block, too, but not here.
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
