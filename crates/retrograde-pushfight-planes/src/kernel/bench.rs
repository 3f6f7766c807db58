//! The two hot loops on their own, for measurements: floods of a block, and pushes of all positions
//! with one set of opposing pushers.
//!
//! The data are random, with the density of the standard board. The results have no meaning in a game.

use retrograde_game::{Random, Squares};
use retrograde_pushfight::PushFight;

use crate::kernel::flood::{Flood, FloodMasks, FloodScratch};
use crate::kernel::pext::Pext;
use crate::kernel::push::{PushFinder, PushGoal, PushSearch};
use crate::kernel::simd::{Kernel, SimdLevel};
use crate::layout::numbering::Layout;
use crate::layout::pusher_set_job::PusherSetJob;
use crate::layout::scope::Scope;
use crate::layout::sets::lanes_of;
use crate::layout::sparse::{SparseCells, SparseRow};

/// Words of a row of the standard board.
const W: usize = 4;

/// A board with random data, whose rows have the same number of words as on the standard board.
pub struct KernelBench {
    layout: Layout,
    level: SimdLevel,
    job: PusherSetJob<W>,
    plane: Vec<SparseCells>,
    finder: PushFinder<W>,
    flood_scratch: FloodScratch<W>,
    /// Sets of opposing pawns, and the lanes without a pawn on their squares.
    blocks: Vec<(Squares, [u64; W])>,
    bits: Vec<[u64; W]>,
    wanted: Vec<[u64; W]>,
}

/// One bit in 2ⁿ.
fn thin(random: &mut Random, n: u32) -> u64 {
    (0..n).fold(u64::MAX, |bits, _| bits & random.bits())
}

impl KernelBench {
    /// One position in 2ⁿ is wanted, read and flooded. `None` for boards of other sizes.
    pub fn new(game: &PushFight, n: u32) -> Option<KernelBench> {
        let layout = Layout::new(game, Scope::PlausibleAndStarts)?;
        if layout.words != W {
            return None;
        }
        let mut random = Random::new(1);
        let number = layout.pusher_sets.len() / 3;
        let whole = PusherSetJob::<W>::new(&layout, number, &mut |_| [0; W]).lanes_clear_of(Squares::EMPTY);
        let job = PusherSetJob::new(&layout, number, &mut |_| whole);
        // One superblock's data for all: cells and lanes are numbered alike in each.
        let mut list: Vec<SparseRow<W>> = Vec::new();
        for cell in 0..layout.cells.len() {
            for lane in lanes_of(&whole).filter(|lane| lane.index() % 8 == cell % 8) {
                let row = std::array::from_fn(|word| whole[word] & thin(&mut random, n.saturating_sub(3)));
                list.push((cell as u32, lane, row));
            }
        }
        let one = || SparseCells::new(layout.cells.len(), &list);
        let plane = (0..layout.superblocks.len())
            .map(|superblock| if superblock % 8 == 0 { one() } else { SparseCells::default() })
            .collect();
        let blocks = lanes_of(&whole)
            .map(|lane| {
                let pawns = layout.local_pawns(number, lane);
                (pawns, job.lanes_clear_of(pawns))
            })
            .collect();
        let rows = layout.rows.len();
        let mut row = || std::array::from_fn(|_| thin(&mut random, n));
        let (bits, wanted) = ((0..rows).map(|_| row()).collect(), (0..rows).map(|_| row()).collect());
        let level = SimdLevel::best();
        let (finder, flood_scratch) = (PushFinder::new(&layout, level), FloodScratch::new(&layout));
        Some(KernelBench { layout, level, job, plane, finder, flood_scratch, blocks, bits, wanted })
    }

    /// Positions of the blocks of [`KernelBench::pushes`].
    pub fn positions(&self) -> u64 {
        let blocks: u32 = self.job.needed.iter().flatten().map(|word| word.count_ones()).sum();
        u64::from(blocks) * self.block_positions()
    }

    /// Positions of a block.
    pub fn block_positions(&self) -> u64 {
        let pawns = retrograde_index::binomial(
            self.layout.free as u32 - self.layout.pusher_count as u32,
            self.layout.pawn_count as u32,
        );
        self.layout.rows.len() as u64 * pawns.unwrap_or(0) as u64
    }

    /// Finds the pushes into the plane, of all positions with one set of opposing pushers; returns
    /// the number of blocks with any.
    pub fn pushes(&mut self) -> usize {
        let KernelBench { layout, job, plane, finder, .. } = self;
        self.level.run(Pushes { layout, job, plane, finder });
        let filled = |anchor: usize| self.finder.filled(anchor, &self.job.needed[anchor]);
        (0..self.job.anchors.len()).map(|anchor| lanes_of(&filled(anchor)).count()).sum()
    }

    /// Closes a block under the moves of a turn; returns whether anything is new.
    pub fn flood(&mut self, block: usize) -> bool {
        let (pawns, base) = self.blocks[block % self.blocks.len()];
        let mut bits: Vec<[u64; W]> =
            self.bits.iter().map(|row| std::array::from_fn(|word| row[word] & base[word])).collect();
        let KernelBench { level, layout, wanted, flood_scratch: scratch, .. } = self;
        let masks = &FloodMasks::new(layout, self.job.pushers, pawns, &base);
        level.run(Flood { level: *level, layout, masks, bits: &mut bits, wanted, scratch });
        bits != self.bits
    }
}

/// The search for all pushes of a job.
struct Pushes<'a> {
    layout: &'a Layout,
    job: &'a PusherSetJob<W>,
    plane: &'a [SparseCells],
    finder: &'a mut PushFinder<W>,
}

impl Kernel for Pushes<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, pext: impl Pext) {
        self.finder.find(pext, self.layout, self.job, PushGoal::Into(self.plane, PushSearch::ByPattern));
    }
}
