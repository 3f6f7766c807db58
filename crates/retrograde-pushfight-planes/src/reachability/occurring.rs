//! Which positions can occur: those that some sequence of turns leads to from a start, each side having placed its pieces
//! somewhere on its half.
//!
//! Turns are taken forwards, for all positions with one set of opposing pushers at once: what has been found of them is
//! brought into blocks, `floods` adds what moves lead to, and then every push of every position goes to where it leads, the
//! way `gather` reads, backwards: branches are walked for each set of the mover's pushers, what they lead to is collected
//! by cell, transposed, and added to what is stored (module `store`). Sets are swept again and again, with those blocks
//! only in which something new was found, until nothing is new.
//!
//! Of anchors that symmetries of the board make of each other one is kept, as everywhere: what is counted occurs, or one
//! of its images does. Positions that end the game lead nowhere, and are not found: a push that ejects a piece is left
//! out.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use retrograde_game::Game;
use retrograde_pushfight::PushFight;
use retrograde_solve::{Progress, SolveError};

use crate::kernel::flood::{Ground, Room, spread_at};
use crate::kernel::pext::{Bits, Portable, Relabel};
use crate::kernel::push::displaced;
use crate::kernel::push_pattern::{Line, Push, branches_of};
use crate::kernel::simd::Level;
use crate::layout::numbering::{Scope, Shape, with_words};
use crate::layout::pusher_set_job::Unit;
use crate::layout::sets::each;
use crate::layout::sets::{expand, some, squares};
use crate::reachability::bitmap as store;
use crate::reachability::bitmap::{Plane, Target};

/// How many positions occur.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occurring {
    /// Of those with an anchor, with what symmetries of the board make of them.
    pub all: u64,
    /// Of those one of what symmetries make of each other; `None` where a symmetry leaves an anchor's square alone.
    pub up_to_symmetry: Option<u64>,
    /// Before the first push, both sides having placed.
    pub starts: u64,
    /// How often sets of pushers were gone through; the last time nothing was new.
    pub sweeps: u32,
}

/// Bytes of memory that [`occurring`] takes with so many threads; `None` if the board is too large for it.
pub fn occurring_memory_needed(game: &PushFight, threads: usize) -> Option<u128> {
    let shape = Shape::new(game, Scope::Game)?;
    // A bit for each plausible position up to symmetry, and an address for each cell.
    let anchored = shape.supers.iter().filter(|place| usize::from(place.anchor) < shape.squares);
    let (stored, all) = anchored.fold((0_u128, 0_u128), |(stored, all), place| {
        (stored + 1, all + u128::from(shape.weight[usize::from(place.anchor)]))
    });
    let bits = game.plausible_count()? * stored / all.max(1);
    let cells = (shape.supers.len() * shape.cells.len()) as u128;
    let blocks = shape.lanes * (shape.pushers + 1) * shape.rows.len();
    let records = shape.lanes * shape.pushers * shape.cells.len();
    let rows = threads.max(1) as u128 * (blocks + records) as u128;
    Some(bits / 8 + cells * 32 + rows * (8 * shape.words as u128) + (64 << 20))
}

/// Finds how many positions occur.
///
/// # Errors
/// If the board is too large, the memory does not suffice, or it is stopped.
pub fn occurring(
    game: &PushFight,
    memory: u64,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Occurring, SolveError> {
    let too_large = || SolveError::TooLarge { count: game.position_count() };
    let need = occurring_memory_needed(game, threads).ok_or_else(too_large)?;
    if need > u128::from(memory) {
        return Err(SolveError::Memory { need: need.try_into().unwrap_or(u64::MAX), limit: memory });
    }
    let shape = Shape::new(game, Scope::Game).ok_or_else(too_large)?;
    with_words!(shape, W => {
        let plane = Plane::<W>::new(&shape);
        let sweeps = sweep(&plane, threads, Level::best(), progress)?;
        Ok(counted(&plane, sweeps))
    })
}

fn counted<const W: usize>(plane: &Plane<'_, W>, sweeps: u32) -> Occurring {
    let (shape, mut alone) = (plane.shape, false);
    let (mut all, mut stored, mut starts) = (0, 0, 0);
    for (superblock, place) in shape.supers.iter().enumerate() {
        let (count, anchor) = (plane.count(superblock), usize::from(place.anchor));
        if shape.is_start(superblock) {
            starts += count;
            continue;
        }
        stored += count;
        all += count * shape.weight[anchor];
        alone |= shape.weight[anchor] < shape.symmetries.len() as u64;
    }
    Occurring { all, up_to_symmetry: (!alone).then_some(stored), starts, sweeps }
}

/// Takes turns until nothing is new; gives how often all sets of pushers were gone through.
fn sweep<const W: usize>(
    plane: &Plane<'_, W>,
    threads: usize,
    level: Level,
    progress: &dyn Progress,
) -> Result<u32, SolveError> {
    for sweeps in 1.. {
        let units = plane.units.len();
        progress.stage(&format!("positions that occur, sweep {sweeps}"), units as u64);
        let (next, stopped, busy) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicU64::new(0));
        let work = || {
            let mut worker = Worker::new(plane, level);
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= units {
                    return;
                }
                if stopped.load(Ordering::Relaxed) || progress.stopped() {
                    stopped.store(true, Ordering::Relaxed);
                    return;
                }
                busy.fetch_add(u64::from(worker.unit(number)), Ordering::Relaxed);
                progress.advance(1);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.max(1) {
                scope.spawn(work);
            }
            work();
        });
        if stopped.load(Ordering::Relaxed) {
            return Err(SolveError::Stopped);
        }
        if busy.into_inner() == 0 {
            return Ok(sweeps);
        }
    }
    unreachable!("a sweep that finds nothing comes at last")
}

/// Room of a thread.
struct Worker<'a, const W: usize> {
    plane: &'a Plane<'a, W>,
    level: Level,
    room: Room<W>,
    /// All there may be: floods are to go everywhere.
    everything: Vec<[u64; W]>,
    /// For every anchor the opposing pawns of which something is new, and where their blocks begin.
    needed: Vec<[u64; W]>,
    block_of: Vec<Vec<u32>>,
    blocks: Vec<[u64; W]>,
    /// Rows of one set of the mover's pushers, by opposing pawns: whatever the anchor, and for each anchor.
    common: Vec<[u64; W]>,
    by_anchor: Vec<Vec<[u64; W]>>,
    /// What pushes lead to that displace no opposing pusher: for a cell and one of its pushers a row for each set of
    /// opposing pawns, and which of those are there.
    records: Vec<[u64; W]>,
    there: Vec<[u64; W]>,
    /// What a push leads to that does.
    pending: Vec<[u64; W]>,
    pending_there: [u64; W],
    target: Option<Target>,
    store: store::Scratch<W>,
    branches: Vec<(Push, Line<W>, bool)>,
}

impl<'a, const W: usize> Worker<'a, W> {
    fn new(plane: &'a Plane<'a, W>, level: Level) -> Worker<'a, W> {
        let shape = plane.shape;
        let rows = || vec![[0; W]; 64 * W];
        let slots = shape.cells.len() * shape.pushers;
        let mut records = Vec::new();
        crate::kernel::huge_pages::reserve(&mut records, slots * shape.lanes);
        records.resize(slots * shape.lanes, [0; W]);
        Worker {
            plane,
            level,
            room: Room::new(shape),
            everything: vec![[u64::MAX; W]; shape.rows.len()],
            needed: Vec::new(),
            block_of: vec![vec![0; 64 * W]; shape.pushers + 1],
            blocks: Vec::new(),
            common: rows(),
            by_anchor: (0..=shape.pushers).map(|_| rows()).collect(),
            records,
            there: vec![[0; W]; slots],
            pending: rows(),
            pending_there: [0; W],
            target: None,
            store: store::Scratch::new(level),
            branches: Vec::new(),
        }
    }

    /// Takes the turns of what is new with a set of opposing pushers; whether there was anything.
    fn unit(&mut self, number: usize) -> bool {
        // SAFETY: the level has been seen to be there.
        unsafe {
            match self.level {
                Level::Portable => self.turns::<Portable>(number),
                #[cfg(target_arch = "x86_64")]
                Level::V3 | Level::V4 => turns_v3(self, number),
            }
        }
    }

    /// # Safety
    /// The processor has what `B` uses.
    #[inline(always)]
    unsafe fn turns<B: Bits>(&mut self, number: usize) -> bool {
        let plane = self.plane;
        let unit = &plane.units[number];
        self.needed.clear();
        self.needed.extend(unit.anchors.iter().map(|&(_, superblock)| plane.take_changed(superblock)));
        if self.needed.iter().all(|needed| !some(needed)) {
            return false;
        }
        // SAFETY: the caller's promise.
        unsafe { self.load::<B>(unit) };
        self.flood(unit);
        // SAFETY: the caller's promise.
        unsafe { self.push::<B>(unit) };
        true
    }

    /// Brings what is stored into blocks.
    #[inline(always)]
    unsafe fn load<B: Bits>(&mut self, unit: &Unit<W>) {
        let rows = self.plane.shape.rows.len();
        let mut count = 0;
        for (anchor, needed) in self.needed.iter().enumerate() {
            for lane in each(needed) {
                self.block_of[anchor][lane] = count;
                count += 1;
            }
        }
        self.blocks.clear();
        crate::kernel::huge_pages::reserve(&mut self.blocks, count as usize * rows);
        self.blocks.resize(count as usize * rows, [0; W]);
        for (anchor, &(_, superblock)) in unit.anchors.iter().enumerate() {
            if some(&self.needed[anchor]) {
                let (needed, block_of) = (&self.needed[anchor], &self.block_of[anchor]);
                // SAFETY: the caller's promise.
                unsafe {
                    self.plane.load::<B>(superblock, needed, block_of, &mut self.blocks, &mut self.store);
                }
            }
        }
    }

    /// Adds what moves lead to.
    fn flood(&mut self, unit: &Unit<W>) {
        let shape = self.plane.shape;
        let rows = shape.rows.len();
        for (anchor, needed) in self.needed.iter().enumerate() {
            for lane in each(needed) {
                let pawns = shape.pawn_sets[shape.global(unit.number, lane)];
                let base = unit.lanes(0, pawns);
                let ground = Ground::new(shape, unit.pushers, pawns, &base);
                let block = &mut self.blocks[self.block_of[anchor][lane] as usize * rows..][..rows];
                spread_at(self.level, shape, &ground, block, &self.everything, &mut self.room);
            }
        }
    }

    /// Makes every push.
    #[inline(always)]
    unsafe fn push<B: Bits>(&mut self, unit: &Unit<W>) {
        let shape = self.plane.shape;
        let rows = shape.rows.len();
        self.there.fill([0; W]);
        for (cell, &packed) in shape.cells.iter().enumerate() {
            let pushers = expand(packed, shape.all & !unit.pushers);
            let beside = unit.lanes(0, pushers);
            let mut lanes = [0; W];
            for lane in each(&beside) {
                self.common[lane] = [0; W];
            }
            for (anchor, needed) in self.needed.iter().enumerate() {
                for lane in each(&beside) {
                    let mut row = [0; W];
                    if needed[lane / 64] >> (lane % 64) & 1 == 1 {
                        let block = self.block_of[anchor][lane] as usize;
                        row = self.blocks[block * rows + self.plane.row(cell, lane)];
                    }
                    self.by_anchor[anchor][lane] = row;
                    for word in 0..W {
                        self.common[lane][word] |= row[word];
                    }
                    lanes[lane / 64] |= u64::from(some(&row)) << (lane % 64);
                }
            }
            if !some(&lanes) {
                continue;
            }
            let mut branches = std::mem::take(&mut self.branches);
            branches_of(shape, unit, pushers, &lanes, &mut branches);
            for (push, line, _) in branches.iter().filter(|(_, _, ejects)| !ejects) {
                // SAFETY: the caller's promise.
                unsafe { self.branch::<B>(unit, *push, line) };
            }
            self.branches = branches;
            // SAFETY: the caller's promise.
            unsafe { self.flush::<B>() };
        }
        for cell in 0..shape.cells.len() {
            let after = expand(shape.cells[cell], shape.all & !unit.pushers);
            for (at, to) in squares(after).enumerate() {
                let slot = cell * shape.pushers + at;
                if some(&self.there[slot]) {
                    let target = Target { opponent: shape.pushers(after), anchor: to, mover: unit.number };
                    let record = &self.records[slot * shape.lanes..][..shape.lanes];
                    // SAFETY: the caller's promise.
                    unsafe { self.plane.add::<B>(target, record, &self.there[slot], &mut self.store) };
                }
            }
        }
    }

    /// Makes a push where a line holds certain pieces.
    #[inline(always)]
    unsafe fn branch<B: Bits>(&mut self, unit: &Unit<W>, push: Push, line: &Line<W>) {
        let shape = self.plane.shape;
        let after =
            push.pushers & !(1 << push.from | line.own_pushers) | 1 << push.to | line.own_pushers_after;
        let pushed = line.other_pushers != 0;
        let mover = match pushed {
            true => shape.pushers(unit.pushers & !line.other_pushers | line.other_pushers_after),
            false => unit.number,
        };
        let slot = if pushed {
            let target = Target { opponent: shape.pushers(after), anchor: push.to, mover };
            if self.target != Some(target) {
                // SAFETY: the caller's promise.
                unsafe { self.flush::<B>() };
                self.target = Some(target);
            }
            0
        } else {
            let at = (after & ((1 << push.to) - 1)).count_ones() as usize;
            shape.cell(unit.pushers, after) * shape.pushers + at
        };
        let (rows, there) = match pushed {
            true => (&mut self.pending[..], &mut self.pending_there),
            false => (&mut self.records[slot * shape.lanes..][..shape.lanes], &mut self.there[slot]),
        };
        // The mover's pawns before and after: those beside the line stay, so both are in the same order.
        let before = &line.before;
        let behind = match pushed {
            true => self.plane.units[mover].lanes(line.own_pawns_after, line.squares & !line.own_pawns_after),
            false => line.after,
        };
        let relabel = Relabel::new(before, &behind);
        let (globals, locals) = (shape.globals(unit.number), shape.locals(mover));
        for lane in each(&line.cases) {
            let mut row = [0; W];
            if pushed {
                // Positions whose anchor is in the line have no such push.
                for (by_anchor, &(anchor, _)) in self.by_anchor.iter().zip(&unit.anchors) {
                    if line.other_pushers >> anchor & 1 == 0 {
                        for word in 0..W {
                            row[word] |= by_anchor[lane][word];
                        }
                    }
                }
            } else {
                row = self.common[lane];
            }
            for word in 0..W {
                row[word] &= before[word];
            }
            if !some(&row) {
                continue;
            }
            let global = displaced(shape, usize::from(globals[lane]), line.other_pawns, push.direction);
            let to = usize::from(locals[global]);
            debug_assert!(to < shape.lanes);
            let (word, bit) = (to / 64, 1 << (to % 64));
            if there[word] & bit == 0 {
                there[word] |= bit;
                rows[to] = [0; W];
            }
            // SAFETY: the caller's promise.
            unsafe { relabel.add::<B>(&row, &mut rows[to]) };
        }
    }

    /// Stores what is pending.
    #[inline(always)]
    unsafe fn flush<B: Bits>(&mut self) {
        if let Some(target) = self.target.take() {
            // SAFETY: the caller's promise.
            unsafe { self.plane.add::<B>(target, &self.pending, &self.pending_there, &mut self.store) };
        }
        self.pending_there = [0; W];
    }
}

/// Longer vectors gain nothing here; floods choose for themselves.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn turns_v3<const W: usize>(worker: &mut Worker<'_, W>, number: usize) -> bool {
    // SAFETY: the features are those of this function.
    unsafe { worker.turns::<crate::kernel::pext::Bmi2>(number) }
}

#[cfg(test)]
mod tests;
