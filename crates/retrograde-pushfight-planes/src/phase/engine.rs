//! One phase after the other, over all superblocks.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use retrograde_solve::{Progress, SolveError};

use crate::kernel::pext::Portable;
use crate::kernel::push::Unit;
use crate::layout::numbering::{Shape, squares};
use crate::layout::partition::Part;
use crate::layout::sparse::Cells;
use crate::phase::block::{self, Scratch};
use crate::phase::push_cache::Ways;

/// A plane: the cells of every superblock.
pub(crate) type Plane<const W: usize> = Vec<Cells<W>>;

/// What a phase is about.
#[derive(Clone, Copy)]
pub(crate) enum Phase<'a, const W: usize> {
    /// What is there at all, and not won in one turn by ejecting a piece.
    Begin,
    /// What of it has no turn at all.
    Stuck,
    /// What is undecided, and has no way to what is in a plane: that of the undecided ones.
    /// With the newest wins, only what has a way to them can be new. (A way to a position that was found lost has made
    /// a position a win since.)
    Losses(&'a [Cells<W>], Newest<'a, W>),
    /// What is undecided, and has a way to what is in a plane: that of the newest losses.
    Wins(&'a [Cells<W>]),
}

/// What a phase is called.
pub(crate) fn phase_name(turns: u16) -> String {
    let how = if turns.is_multiple_of(2) { "lost" } else { "won" };
    format!("{how} in {turns} turns")
}

/// The newest wins, which are what has changed for [`Phase::Losses`].
#[derive(Clone, Copy)]
pub(crate) enum Newest<'a, const W: usize> {
    /// So many that nothing can be left out, or not known.
    Most,
    /// Blocks are left out that have no push into them.
    Many(&'a [Cells<W>]),
    /// Blocks are looked at position by position; see [`crate::phase::sparse_losses`].
    Few(&'a [Cells<W>]),
}

/// What a phase found in a superblock.
pub(crate) struct Found<const W: usize> {
    pub cells: Cells<W>,
    /// Positions in it.
    pub count: u64,
    /// In [`Phase::Begin`]: the others, which are won.
    pub won: u64,
}

/// Which instructions are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    Portable,
    /// x86-64 with AVX2 and BMI2.
    #[cfg(target_arch = "x86_64")]
    V3,
    /// Also with AVX-512, VBMI and GFNI: Ice Lake, Zen 4 and later.
    #[cfg(target_arch = "x86_64")]
    V4,
}

impl Level {
    pub(crate) fn best() -> Level {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            let v4 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("gfni");
            return if v4 { Level::V4 } else { Level::V3 };
        }
        Level::Portable
    }
}

/// Short rows gain nothing by longer vectors, and very long ones little; every version takes its time to compile.
#[cfg(target_arch = "x86_64")]
pub(crate) const fn long_vectors(words: usize) -> bool {
    words == 4 || words == 8
}

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
        // SAFETY: the level has been seen to be there.
        unsafe {
            match self.level {
                Level::Portable => block::run::<W, Portable>(self, unit, phase, room, found),
                #[cfg(target_arch = "x86_64")]
                Level::V3 => run_v3(self, unit, phase, room, found),
                #[cfg(target_arch = "x86_64")]
                Level::V4 => {
                    if long_vectors(W) {
                        run_v4(self, unit, phase, room, found);
                    } else {
                        run_v3(self, unit, phase, room, found);
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

/// Positions in a plane.
pub(crate) fn count<const W: usize>(plane: &[Cells<W>]) -> u64 {
    plane.iter().map(Cells::count).sum()
}

/// Takes positions away from a plane that has them.
pub(crate) fn subtract<const W: usize>(plane: &mut [Cells<W>], those: &[Cells<W>], threads: usize) {
    shared(threads, plane.iter_mut().zip(those).collect(), |(cells, those)| cells.subtract(those, |_, _| ()));
}

/// Does something with each item, on several threads.
pub(crate) fn shared<T: Send>(threads: usize, items: Vec<T>, act: impl Fn(T) + Sync) {
    let items = Mutex::new(items.into_iter());
    let next = || items.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
    let work = || {
        while let Some(item) = next() {
            act(item);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_v3<const W: usize>(
    engine: &Engine<W>,
    unit: &Unit<W>,
    phase: Phase<'_, W>,
    room: &mut Scratch<W>,
    found: &(dyn Fn(usize, Found<W>) + Sync),
) {
    // SAFETY: the features are those of this function.
    unsafe { block::run::<W, crate::kernel::pext::Bmi2>(engine, unit, phase, room, found) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vbmi,gfni,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_v4<const W: usize>(
    engine: &Engine<W>,
    unit: &Unit<W>,
    phase: Phase<'_, W>,
    room: &mut Scratch<W>,
    found: &(dyn Fn(usize, Found<W>) + Sync),
) {
    // SAFETY: the features are those of this function.
    unsafe { block::run::<W, crate::kernel::pext::Bmi2>(engine, unit, phase, room, found) }
}
