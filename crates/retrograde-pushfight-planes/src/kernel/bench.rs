//! The two hot loops by themselves, for measurements: floods of a block, and the pushes of all positions with one set of
//! opposing pushers. Data are random, as dense as those of the standard board are; what they say about a game is nothing.

use retrograde_pushfight::PushFight;

use crate::kernel::flood::{Ground, Room, spread_at};
use crate::kernel::pext::Bits;
use crate::kernel::push::{Gathered, Goal};
use crate::kernel::simd::Level;
use crate::layout::numbering::{Scope, Shape};
use crate::layout::pusher_set_job::Unit;
use crate::layout::sets::each;
use crate::layout::sparse::{Cells, Row};

/// Words of a row of the standard board.
const W: usize = 4;

/// A board whose rows have as many words as those of the standard board, with random data.
pub struct Kernels {
    shape: Shape,
    level: Level,
    unit: Unit<W>,
    plane: Vec<Cells<W>>,
    gathered: Gathered<W>,
    room: Room<W>,
    /// Lanes of opposing pawns, and the lanes that stand clear of those.
    blocks: Vec<(u64, [u64; W])>,
    bits: Vec<[u64; W]>,
    asked: Vec<[u64; W]>,
}

fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    let mixed = (*seed ^ *seed >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

/// One bit in 2ⁿ.
fn thin(seed: &mut u64, n: u32) -> u64 {
    (0..n).fold(u64::MAX, |bits, _| bits & random(seed))
}

impl Kernels {
    /// With one position in 2ⁿ that is asked for, read and flooded. `None` for boards of other sizes.
    pub fn new(game: &PushFight, n: u32) -> Option<Kernels> {
        let shape = Shape::new(game, Scope::Plausible)?;
        if shape.words != W {
            return None;
        }
        let mut seed = 1;
        let number = shape.pusher_sets.len() / 3;
        let whole = Unit::<W>::new(&shape, number, |_| [0; W]).lanes(0, 0);
        let unit = Unit::new(&shape, number, |_| whole);
        // One superblock's data for all: cells and lanes are numbered alike in each.
        let mut list: Vec<Row<W>> = Vec::new();
        for cell in 0..shape.cells.len() {
            for lane in each(&whole).filter(|lane| lane % 8 == cell % 8) {
                let row = std::array::from_fn(|word| whole[word] & thin(&mut seed, n.saturating_sub(3)));
                list.push((cell as u32, lane as u16, row));
            }
        }
        let one = || Cells::new(shape.cells.len(), &list);
        let plane = (0..shape.supers.len())
            .map(|superblock| if superblock % 8 == 0 { one() } else { Cells::empty() })
            .collect();
        let blocks = each(&whole)
            .map(|lane| {
                let pawns = shape.pawn_sets[shape.global(number, lane)];
                (pawns, unit.lanes(0, pawns))
            })
            .collect();
        let rows = shape.rows.len();
        let mut row = || std::array::from_fn(|_| thin(&mut seed, n));
        let (bits, asked) = ((0..rows).map(|_| row()).collect(), (0..rows).map(|_| row()).collect());
        let level = Level::best();
        let (gathered, room) = (Gathered::new(&shape, level), Room::new(&shape));
        Some(Kernels { shape, level, unit, plane, gathered, room, blocks, bits, asked })
    }

    /// Positions of the blocks of [`Kernels::pushes`].
    pub fn positions(&self) -> u64 {
        let blocks: u32 = self.unit.needed.iter().flatten().map(|word| word.count_ones()).sum();
        u64::from(blocks) * self.block_positions()
    }

    /// Positions of a block.
    pub fn block_positions(&self) -> u64 {
        let pawns = retrograde_index::binomial(
            self.shape.free as u32 - self.shape.pushers as u32,
            self.shape.pawns as u32,
        );
        self.shape.rows.len() as u64 * pawns.unwrap_or(0) as u64
    }

    /// Finds the pushes into the plane, of all positions with one set of opposing pushers; how many of their blocks have some.
    pub fn pushes(&mut self) -> usize {
        let goal = Goal::Into(&self.plane);
        // SAFETY: the level has been seen to be there.
        unsafe {
            match self.level {
                Level::Portable => {
                    push::<crate::kernel::pext::Portable>(&self.shape, &self.unit, goal, &mut self.gathered)
                }
                #[cfg(target_arch = "x86_64")]
                Level::V3 => push_v3(&self.shape, &self.unit, goal, &mut self.gathered),
                #[cfg(target_arch = "x86_64")]
                Level::V4 => push_v4(&self.shape, &self.unit, goal, &mut self.gathered),
            }
        }
        let filled = |anchor: usize| self.gathered.filled(anchor, &self.unit.needed[anchor]);
        (0..self.unit.anchors.len()).map(|anchor| each(&filled(anchor)).count()).sum()
    }

    /// Adds what a turn's moves lead to, in a block; whether anything is new.
    pub fn flood(&mut self, block: usize) -> bool {
        let (pawns, base) = self.blocks[block % self.blocks.len()];
        let mut bits: Vec<[u64; W]> =
            self.bits.iter().map(|row| std::array::from_fn(|word| row[word] & base[word])).collect();
        let ground = Ground::new(&self.shape, self.unit.pushers, pawns, &base);
        spread_at(self.level, &self.shape, &ground, &mut bits, &self.asked, &mut self.room);
        bits != self.bits
    }
}

/// # Safety
/// The processor has what `B` uses.
#[inline(always)]
unsafe fn push<B: Bits>(shape: &Shape, unit: &Unit<W>, goal: Goal<'_, W>, gathered: &mut Gathered<W>) {
    // SAFETY: the caller's promise.
    unsafe { gathered.gather::<B>(shape, unit, goal) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn push_v3(shape: &Shape, unit: &Unit<W>, goal: Goal<'_, W>, gathered: &mut Gathered<W>) {
    // SAFETY: the features are those of this function.
    unsafe { push::<crate::kernel::pext::Bmi2>(shape, unit, goal, gathered) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vbmi,gfni,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn push_v4(shape: &Shape, unit: &Unit<W>, goal: Goal<'_, W>, gathered: &mut Gathered<W>) {
    // SAFETY: the features are those of this function.
    unsafe { push::<crate::kernel::pext::Bmi2>(shape, unit, goal, gathered) }
}
