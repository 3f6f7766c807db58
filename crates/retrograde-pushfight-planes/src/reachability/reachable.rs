//! Finds the reachable positions: a sequence of turns reaches them from a start, after each side has
//! placed its pieces anywhere on its half.
//!
//! Turns are made forwards, for all positions with one set of opposing pushers at once. The positions
//! found so far are loaded into blocks and closed under moves; then every push of every position goes
//! to its target. This is `kernel::push` backwards: the results of the patterns of each set of the
//! mover's pushers are collected by cell, transposed, and added to the bitmap. Sets are swept
//! repeatedly, each time only the blocks with new positions, until nothing is new.
//!
//! Anchors that are images of each other share one superblock, so a position is counted if it or one of
//! its images occurs. Positions that end the game lead nowhere and are omitted, and so are pushes that
//! eject a piece.

use std::sync::atomic::{AtomicBool, Ordering};

use retrograde_game::Game;
use retrograde_pushfight::PushFight;
use retrograde_solve::{Progress, SolveError};

use crate::kernel::flood::{Flood, FloodMasks, FloodScratch};
use crate::kernel::pext::{LaneRemap, Pext};
use crate::kernel::push::{displaced_lane, pushers_after};
use crate::kernel::push_pattern::{Push, PushLine, PushPattern, push_patterns};
use crate::kernel::simd::{Kernel, SimdLevel};
use crate::layout::numbering::{Layout, with_words};
use crate::layout::pusher_set_job::PusherSetJob;
use crate::layout::scope::Scope;
use crate::layout::sets::{any_bit, expand, has_lane, index_in, insert_lane, insert_lane_if, lanes_of};
use crate::layout::superblocks::by_superblock;
use crate::parallel::try_for_each_with;
use crate::reachability::bitmap::{BitmapScratch, PushTarget, ReachableBitmap};

/// The number of reachable positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReachableCounts {
    /// Positions with an anchor, images under symmetries of the board included.
    pub all: u64,
    /// The same up to symmetry; `None` where a symmetry maps an anchor's square to itself.
    pub up_to_symmetry: Option<u64>,
    /// Positions before the first push, after both sides have placed.
    pub starts: u64,
    /// The number of sweeps over all sets of pushers; the last one found nothing new.
    pub sweeps: u32,
}

/// Bytes of memory that [`count_reachable`] takes with `threads` threads; `None` if the board is too
/// large for it.
pub fn reachable_memory_needed(game: &PushFight, threads: usize) -> Option<u128> {
    let layout = Layout::new(game, Scope::PlausibleAndStarts)?;
    // A bit for each plausible position up to symmetry, and an address for each cell.
    let anchored = layout.superblocks.iter().filter(|key| key.anchor != layout.no_anchor());
    let (stored, all) = anchored.fold((0_u128, 0_u128), |(stored, all), key| {
        (stored + 1, all + u128::from(layout.symmetries.orbit_size(key.anchor)))
    });
    let bits = game.plausible_count()? * stored / all.max(1);
    let cells = (layout.superblocks.len() * layout.cells.len()) as u128;
    let blocks = layout.lanes * (layout.pusher_count + 1) * layout.rows.len();
    let records = layout.lanes * layout.pusher_count * layout.cells.len();
    let rows = threads.max(1) as u128 * (blocks + records) as u128;
    Some(bits / 8 + cells * 32 + rows * (8 * layout.words as u128) + (64 << 20))
}

/// Finds how many positions occur.
///
/// # Errors
/// If the board is too large, the memory is insufficient, or it is stopped.
pub fn count_reachable(
    game: &PushFight,
    memory: u64,
    threads: usize,
    progress: &dyn Progress,
) -> Result<ReachableCounts, SolveError> {
    let too_large = || SolveError::TooLarge { count: game.position_count() };
    let need = reachable_memory_needed(game, threads).ok_or_else(too_large)?;
    if need > u128::from(memory) {
        return Err(SolveError::Memory { need: need.try_into().unwrap_or(u64::MAX), limit: memory });
    }
    let layout = Layout::new(game, Scope::PlausibleAndStarts).ok_or_else(too_large)?;
    with_words!(layout, W => {
        let bitmap = ReachableBitmap::<W>::new(&layout);
        let sweeps = sweep(&bitmap, threads, SimdLevel::best(), progress)?;
        Ok(count_bits_of(&bitmap, sweeps))
    })
}

fn count_bits_of<const W: usize>(bitmap: &ReachableBitmap<'_, W>, sweeps: u32) -> ReachableCounts {
    let (layout, mut alone) = (bitmap.layout, false);
    let (mut all, mut stored, mut starts) = (0, 0, 0);
    for (superblock, key) in by_superblock(layout.superblocks.iter()) {
        let (count, anchor) = (bitmap.count(superblock), key.anchor);
        if layout.is_start(superblock) {
            starts += count;
            continue;
        }
        stored += count;
        all += count * layout.symmetries.orbit_size(anchor);
        alone |= layout.symmetries.orbit_size(anchor) < layout.symmetries.count() as u64;
    }
    ReachableCounts { all, up_to_symmetry: (!alone).then_some(stored), starts, sweeps }
}

/// Sweeps over all sets of pushers until nothing is new; returns the number of sweeps.
fn sweep<const W: usize>(
    bitmap: &ReachableBitmap<'_, W>,
    threads: usize,
    level: SimdLevel,
    progress: &dyn Progress,
) -> Result<u32, SolveError> {
    for sweeps in 1.. {
        let jobs: Vec<usize> = (0..bitmap.jobs.len()).collect();
        progress.stage(&format!("reachable positions, sweep {sweeps}"), jobs.len() as u64);
        let busy = AtomicBool::new(false);
        let worker = || SweepWorker::new(bitmap, level);
        try_for_each_with(threads, jobs, progress, worker, |worker, number| {
            busy.fetch_or(level.run(TurnsOf { worker, number }), Ordering::Relaxed);
            Ok(())
        })?;
        if !busy.into_inner() {
            return Ok(sweeps);
        }
    }
    unreachable!("a sweep that finds nothing comes at last")
}

/// The scratch memory of a thread.
struct SweepWorker<'a, const W: usize> {
    bitmap: &'a ReachableBitmap<'a, W>,
    level: SimdLevel,
    flood_scratch: FloodScratch<W>,
    /// All ones: floods may reach every position.
    everything: Vec<[u64; W]>,
    /// For every anchor the opposing pawns with new positions, and where their blocks begin.
    needed: Vec<[u64; W]>,
    block_of: Vec<Vec<u32>>,
    blocks: Vec<[u64; W]>,
    /// Rows of one set of the mover's pushers, by opposing pawns: whatever the anchor, and for each
    /// anchor.
    common: Vec<[u64; W]>,
    by_anchor: Vec<Vec<[u64; W]>>,
    /// The targets of pushes that displace no opposing pusher: for a cell and one of its pushers a
    /// row for each set of opposing pawns, and which of these rows exist.
    records: Vec<[u64; W]>,
    present: Vec<[u64; W]>,
    /// The targets of a push that displaces opposing pushers.
    pending: Vec<[u64; W]>,
    pending_there: [u64; W],
    target: Option<PushTarget>,
    bitmap_scratch: BitmapScratch<W>,
    patterns: Vec<PushPattern<W>>,
}

impl<'a, const W: usize> SweepWorker<'a, W> {
    fn new(bitmap: &'a ReachableBitmap<'a, W>, level: SimdLevel) -> SweepWorker<'a, W> {
        let layout = bitmap.layout;
        let rows = || vec![[0; W]; 64 * W];
        let slots = layout.cells.len() * layout.pusher_count;
        let mut records = Vec::new();
        retrograde_solve::memory::reserve_huge(&mut records, slots * layout.lanes);
        records.resize(slots * layout.lanes, [0; W]);
        SweepWorker {
            bitmap,
            level,
            flood_scratch: FloodScratch::new(layout),
            everything: vec![[u64::MAX; W]; layout.rows.len()],
            needed: Vec::new(),
            block_of: vec![vec![0; 64 * W]; layout.pusher_count + 1],
            blocks: Vec::new(),
            common: rows(),
            by_anchor: (0..=layout.pusher_count).map(|_| rows()).collect(),
            records,
            present: vec![[0; W]; slots],
            pending: rows(),
            pending_there: [0; W],
            target: None,
            bitmap_scratch: BitmapScratch::new(level),
            patterns: Vec::new(),
        }
    }

    /// Makes the turns of the new positions with a set of opposing pushers; returns whether there were
    /// any.
    #[inline(always)]
    fn make_turns(&mut self, pext: impl Pext, number: usize) -> bool {
        let bitmap = self.bitmap;
        let job = &bitmap.jobs[number];
        self.needed.clear();
        self.needed.extend(job.anchors.iter().map(|&(_, superblock)| bitmap.take_changed(superblock)));
        if self.needed.iter().all(|needed| !any_bit(needed)) {
            return false;
        }
        self.load(pext, job);
        self.flood(job);
        self.push(pext, job);
        true
    }

    /// Loads the stored positions into blocks.
    #[inline(always)]
    fn load(&mut self, pext: impl Pext, job: &PusherSetJob<W>) {
        let rows = self.bitmap.layout.rows.len();
        let mut count = 0;
        for (anchor, needed) in self.needed.iter().enumerate() {
            for lane in lanes_of(needed) {
                self.block_of[anchor][lane] = count;
                count += 1;
            }
        }
        self.blocks.clear();
        retrograde_solve::memory::reserve_huge(&mut self.blocks, count as usize * rows);
        self.blocks.resize(count as usize * rows, [0; W]);
        for (anchor, &(_, superblock)) in job.anchors.iter().enumerate() {
            if any_bit(&self.needed[anchor]) {
                let (needed, block_of) = (&self.needed[anchor], &self.block_of[anchor]);
                let (blocks, scratch) = (&mut self.blocks, &mut self.bitmap_scratch);
                self.bitmap.load(pext, superblock, needed, block_of, blocks, scratch);
            }
        }
    }

    /// Closes the blocks under moves.
    fn flood(&mut self, job: &PusherSetJob<W>) {
        let layout = self.bitmap.layout;
        let rows = layout.rows.len();
        for (anchor, needed) in self.needed.iter().enumerate() {
            for lane in lanes_of(needed) {
                let pawns = layout.local_pawns(job.number, lane);
                let base = job.lanes_clear_of(pawns);
                let masks = &FloodMasks::new(layout, job.pushers, pawns, &base);
                let bits = &mut self.blocks[self.block_of[anchor][lane] as usize * rows..][..rows];
                let (level, wanted, scratch) = (self.level, &*self.everything, &mut self.flood_scratch);
                level.run(Flood { level, layout, masks, bits, wanted, scratch });
            }
        }
    }

    /// Makes every push.
    #[inline(always)]
    fn push(&mut self, pext: impl Pext, job: &PusherSetJob<W>) {
        let layout = self.bitmap.layout;
        let rows = layout.rows.len();
        self.present.fill([0; W]);
        for (cell, &packed) in layout.cells.iter().enumerate() {
            let pushers = expand(packed, layout.board.all() & !job.pushers);
            let clear = job.lanes_clear_of(pushers);
            let mut lanes = [0; W];
            for lane in lanes_of(&clear) {
                self.common[lane] = [0; W];
            }
            for (anchor, needed) in self.needed.iter().enumerate() {
                for lane in lanes_of(&clear) {
                    let mut row = [0; W];
                    if has_lane(needed, lane) {
                        let block = self.block_of[anchor][lane] as usize;
                        row = self.blocks[block * rows + self.bitmap.row(cell, lane)];
                    }
                    self.by_anchor[anchor][lane] = row;
                    for word in 0..W {
                        self.common[lane][word] |= row[word];
                    }
                    insert_lane_if(&mut lanes, lane, any_bit(&row));
                }
            }
            if !any_bit(&lanes) {
                continue;
            }
            let mut patterns = std::mem::take(&mut self.patterns);
            push_patterns(layout, job, pushers, &lanes, &mut patterns);
            for (push, line, _) in patterns.iter().filter(|(_, _, ejects)| !ejects) {
                self.push_along(pext, job, *push, line);
            }
            self.patterns = patterns;
            self.flush();
        }
        for cell in 0..layout.cells.len() {
            let after = expand(layout.cells[cell], layout.board.all() & !job.pushers);
            for (at, to) in after.into_iter().enumerate() {
                let slot = cell * layout.pusher_count + at;
                if any_bit(&self.present[slot]) {
                    let target =
                        PushTarget { opponent: layout.pushers(after), anchor: to, mover: job.number };
                    let record = &self.records[slot * layout.lanes..][..layout.lanes];
                    self.bitmap.add(target, record, &self.present[slot], &mut self.bitmap_scratch);
                }
            }
        }
    }

    /// Makes a push for one pattern of pieces on its line.
    #[inline(always)]
    fn push_along(&mut self, pext: impl Pext, job: &PusherSetJob<W>, push: Push, line: &PushLine<W>) {
        let layout = self.bitmap.layout;
        let after = pushers_after(push, line);
        let pushed = !line.other_pushers.is_empty();
        let mover = match pushed {
            true => layout.pushers(job.pushers & !line.other_pushers | line.other_pushers_after),
            false => job.number,
        };
        let slot = if pushed {
            let target = PushTarget { opponent: layout.pushers(after), anchor: push.to, mover };
            if self.target != Some(target) {
                self.flush();
                self.target = Some(target);
            }
            0
        } else {
            let at = index_in(after, push.to);
            layout.cell(job.pushers, after) * layout.pusher_count + at
        };
        let (rows, present) = match pushed {
            true => (&mut self.pending[..], &mut self.pending_there),
            false => (&mut self.records[slot * layout.lanes..][..layout.lanes], &mut self.present[slot]),
        };
        // The mover's pawns before and after: pawns off the line stay, so both are in the same order.
        let before = &line.before;
        let behind = match pushed {
            true => self.bitmap.jobs[mover].lanes(line.own_pawns_after, line.squares & !line.own_pawns_after),
            false => line.after,
        };
        let remap = LaneRemap::new(before, &behind);
        let (globals, locals) = (layout.globals(job.number), layout.locals(mover));
        for lane in lanes_of(&line.cases) {
            let mut row = [0; W];
            if pushed {
                // Positions whose anchor is in the line have no such push.
                for (by_anchor, &(anchor, _)) in self.by_anchor.iter().zip(&job.anchors) {
                    if !line.other_pushers.contains(anchor) {
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
            if !any_bit(&row) {
                continue;
            }
            let to = locals[displaced_lane(layout, globals[lane], line.other_pawns, push.direction)];
            debug_assert!(to.index() < layout.lanes);
            if !has_lane(present, to) {
                insert_lane(present, to);
                rows[to] = [0; W];
            }
            remap.add(pext, &row, &mut rows[to]);
        }
    }

    /// Stores the pending rows.
    fn flush(&mut self) {
        if let Some(target) = self.target.take() {
            self.bitmap.add(target, &self.pending, &self.pending_there, &mut self.bitmap_scratch);
        }
        self.pending_there = [0; W];
    }
}

/// The turns of the new positions with a set of opposing pushers.
struct TurnsOf<'a, 'b, const W: usize> {
    worker: &'a mut SweepWorker<'b, W>,
    number: usize,
}

impl<const W: usize> Kernel for TurnsOf<'_, '_, W> {
    type Output = bool;

    #[inline(always)]
    fn run(self, pext: impl Pext) -> bool {
        self.worker.make_turns(pext, self.number)
    }
}

#[cfg(test)]
mod tests;
