//! One phase after the other, over all superblocks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use retrograde_solve::{Progress, SolveError};

use crate::kernel::pext::Portable;
use crate::kernel::simd::{Level, long_vectors};
use crate::layout::numbering::Shape;
use crate::layout::partition::Part;
use crate::layout::pusher_set_job::Unit;
use crate::layout::sets::squares;
use crate::layout::sparse::Cells;
use crate::layout::sparse::{Plane, count};
use crate::parallel::shared;
use crate::phase::block::{self, BoardState, Scratch};
use crate::phase::kinds::{Found, Newest, Phase};
use crate::phase::push_cache::Ways;

/// The board, what is undecided, and what the last phase found.
pub(crate) struct Engine<const W: usize> {
    pub shape: Shape,
    pub left: Plane<W>,
    /// If given, only the part's own superblocks are worked on.
    pub part: Option<Arc<Part>>,
    /// If given, only these positions are asked for.
    pub only: Option<Plane<W>>,
    /// If given, pushes into the undecided are kept there from one loss phase to the next.
    pub ways: Option<Ways<W>>,
    /// For every superblock and local lane of opposing pawns how many positions are undecided.
    open: Vec<Vec<u32>>,
    pub level: Level,
    threads: usize,
}

/// Undecided blocks for each new win above which positions are looked at one by one: a position that has few turns to
/// undecided ones is looked at for long.
const FEW: u64 = 64;
/// New wins for each undecided block above which so many blocks read some that it does not pay to look for the others.
const MANY: u64 = 30;
/// New wins for each undecided block below which pushes are kept. Storing them costs a fifth of a phase once, and it is
/// only with so few that a phase is quicker for it.
const KEEP: u64 = 60;

impl<const W: usize> Engine<W> {
    pub(crate) fn new(shape: Shape, level: Level, threads: usize) -> Engine<W> {
        let left = shape.supers.iter().map(|_| Cells::empty()).collect();
        let open = shape.supers.iter().map(|_| Vec::new()).collect();
        Engine { shape, left, part: None, only: None, ways: None, open, level, threads: threads.max(1) }
    }

    /// Bytes that the undecided positions take.
    pub(crate) fn bytes(&self) -> usize {
        self.left.iter().map(Cells::bytes).sum()
    }

    /// Blocks in which something is undecided, of those that are worked on.
    pub(crate) fn blocks(&self) -> usize {
        let own = |superblock| self.part.as_ref().is_none_or(|part| part.owns(&self.shape, superblock));
        let open = self.open.iter().enumerate().filter(|(superblock, _)| own(*superblock));
        open.flat_map(|(_, open)| open).filter(|open| **open > 0).count()
    }

    /// Does a phase, and hands over what it finds superblock by superblock, in any order. Those that are `done` are
    /// left out (the list may be shorter), and those without an undecided position.
    pub(crate) fn phase(
        &self,
        name: &str,
        phase: Phase<'_, W>,
        done: &[bool],
        progress: &dyn Progress,
        found: impl Fn(usize, Found<W>) + Sync,
    ) -> Result<(), SolveError> {
        let units: Vec<usize> = (0..self.shape.pusher_sets.len())
            .filter(|&number| self.part.as_ref().is_none_or(|part| part.owns_set(number)))
            .filter(|&number| {
                squares(self.shape.pusher_sets[number] | 1 << self.shape.squares)
                    .any(|anchor| self.shape.super_of(number, anchor).is_some())
            })
            .collect();
        progress.stage(name, units.len() as u64);
        let next = AtomicUsize::new(0);
        let stopped = AtomicBool::new(false);
        let work = || {
            let mut room = Scratch::new(&self.shape, self.level);
            while let Some(&number) = units.get(next.fetch_add(1, Ordering::Relaxed)) {
                if stopped.load(Ordering::Relaxed) || progress.stopped() {
                    stopped.store(true, Ordering::Relaxed);
                    return;
                }
                let unit = Unit::new(&self.shape, number, |superblock| match phase {
                    _ if done.get(superblock) == Some(&true) => [0; W],
                    Phase::Begin if let Some(only) = &self.only => {
                        let (there, _) = only[superblock].parts();
                        there.iter().fold([0; W], |any, row| std::array::from_fn(|at| any[at] | row[at]))
                    }
                    Phase::Begin => {
                        std::array::from_fn(|word| match self.shape.lanes.saturating_sub(64 * word) {
                            0 => 0,
                            left @ 1..64 => (1 << left) - 1,
                            _ => u64::MAX,
                        })
                    }
                    _ => {
                        let mut lanes = [0; W];
                        for (lane, _) in
                            self.open[superblock].iter().enumerate().filter(|(_, open)| **open > 0)
                        {
                            lanes[lane / 64] |= 1 << (lane % 64);
                        }
                        lanes
                    }
                });
                if !unit.idle() {
                    self.run(&unit, phase, &mut room, &found);
                }
                progress.advance(1);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(work);
            }
            work();
        });
        if stopped.load(Ordering::Relaxed) { Err(SolveError::Stopped) } else { Ok(()) }
    }

    /// What hears of results is no type parameter: all this would be compiled anew for each caller.
    fn run(
        &self,
        unit: &Unit<W>,
        phase: Phase<'_, W>,
        room: &mut Scratch<W>,
        found: &(dyn Fn(usize, Found<W>) + Sync),
    ) {
        let board = BoardState {
            shape: &self.shape,
            level: self.level,
            left: &self.left,
            only: self.only.as_deref(),
            ways: self.ways.as_ref(),
        };
        // SAFETY: the level has been seen to be there.
        unsafe {
            match self.level {
                Level::Portable => block::run::<W, Portable>(board, unit, phase, room, found),
                #[cfg(target_arch = "x86_64")]
                Level::V3 => run_v3(board, unit, phase, room, found),
                #[cfg(target_arch = "x86_64")]
                Level::V4 => {
                    if long_vectors(W) {
                        run_v4(board, unit, phase, room, found);
                    } else {
                        run_v3(board, unit, phase, room, found);
                    }
                }
            }
        }
    }

    /// What finds the positions that end in so many turns; `newest` is what was found last, none if that is not known.
    pub(crate) fn phase_of<'a>(&'a self, turns: u16, newest: &'a [Cells<W>]) -> Phase<'a, W> {
        match turns {
            0 => Phase::Stuck,
            // What is won in one turn is not kept.
            2 => Phase::Losses(&self.left, Newest::Most),
            _ if turns.is_multiple_of(2) => Phase::Losses(&self.left, self.newest(newest)),
            _ => Phase::Wins(newest),
        }
    }

    /// How to look at newest wins: the ways cost about the same where they meet.
    pub(crate) fn newest<'a>(&self, wins: &'a [Cells<W>]) -> Newest<'a, W> {
        if wins.is_empty() {
            return Newest::Most;
        }
        let (count, blocks) = (count(wins), self.blocks() as u64);
        match count {
            count if count < blocks / FEW && self.ways.is_none() => Newest::Few(wins),
            count if self.ways.is_some() || count < blocks * MANY => Newest::Many(wins),
            _ => Newest::Most,
        }
    }

    /// To be called before a loss phase: keeps pushes from now on if there are few enough new wins, and as many as there
    /// is room for in so much memory.
    pub(crate) fn keep_ways(&mut self, turns: u16, newest: &[Cells<W>], memory: u64) {
        // Beside what is undecided there is what is new, and what threads work with.
        let left = self.bytes() as u64;
        let room = memory.saturating_sub(left * 3 / 2);
        // Below that it would be less than half of them.
        if self.ways.is_none() && turns > 2 && count(newest) < self.blocks() as u64 * KEEP && room >= left {
            self.ways = Some(Ways::new(&self.shape));
        }
        if let Some(ways) = &mut self.ways {
            ways.begin(turns, room);
        }
    }

    /// Takes decided positions away from the undecided ones, among which they are.
    pub(crate) fn apply(&mut self, decided: &[Cells<W>]) {
        let items = self.left.iter_mut().zip(&mut self.open).zip(decided);
        shared(self.threads, items.collect(), |((left, open), decided)| {
            left.subtract(decided, |lane, count| open[lane] -= count);
        });
    }

    /// Sets what is undecided.
    pub(crate) fn set(&mut self, left: Plane<W>) {
        self.open = left
            .iter()
            .map(|cells| {
                let mut open = vec![0; self.shape.lanes];
                cells
                    .each(|_, lane, row| open[lane] += row.iter().map(|word| word.count_ones()).sum::<u32>());
                open
            })
            .collect();
        self.left = left;
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_v3<const W: usize>(
    board: BoardState<'_, W>,
    unit: &Unit<W>,
    phase: Phase<'_, W>,
    room: &mut Scratch<W>,
    found: &(dyn Fn(usize, Found<W>) + Sync),
) {
    // SAFETY: the features are those of this function.
    unsafe { block::run::<W, crate::kernel::pext::Bmi2>(board, unit, phase, room, found) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vbmi,gfni,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_v4<const W: usize>(
    board: BoardState<'_, W>,
    unit: &Unit<W>,
    phase: Phase<'_, W>,
    room: &mut Scratch<W>,
    found: &(dyn Fn(usize, Found<W>) + Sync),
) {
    // SAFETY: the features are those of this function.
    unsafe { block::run::<W, crate::kernel::pext::Bmi2>(board, unit, phase, room, found) }
}
