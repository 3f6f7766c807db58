//! Runs a phase for all blocks of one set of opposing pushers: finds the pushes, then closes each
//! block under moves.

use retrograde_game::{Square, Squares};
use retrograde_solve::SolveError;

use crate::kernel::flood::{Flood, FloodMasks, FloodScratch};
use crate::kernel::pext::Pext;
use crate::kernel::push::{PushFinder, PushGoal, PushSearch};
use crate::kernel::simd::{Kernel, SimdLevel};
use crate::layout::lanes::LocalLane;
use crate::layout::legal_rows::legal_row;
use crate::layout::location::Location;
use crate::layout::numbering::Layout;
use crate::layout::pusher_set_job::PusherSetJob;
use crate::layout::sets::{PackedSquares, any_bit, expand, lanes_of, remove_lane};
use crate::layout::sparse::{SparseCells, SparseRow, count_bits};
use crate::layout::superblocks::SuperblockId;
use crate::phase::kinds::{OnResult, Phase, SuperblockResult};
use crate::phase::push_cache::{CachedBlock, CachedSuperblockLock, PushCache};
use crate::phase::single_pushes::OpponentSide;

/// Pushes into new wins per block above which finding all pushes again is faster than checking each.
const MAX_PUSHES_PER_BLOCK: u64 = 500;

/// The scratch memory of a thread.
pub(crate) struct BlockScratch<const W: usize> {
    finder: PushFinder<W>,
    flood: FloodScratch<W>,
    recheck: RecheckBatch,
    /// The positions of a block that the phase may find.
    candidates: Vec<[u64; W]>,
    list: Vec<SparseRow<W>>,
}

impl<const W: usize> BlockScratch<W> {
    pub(crate) fn new(layout: &Layout, level: SimdLevel) -> BlockScratch<W> {
        BlockScratch {
            finder: PushFinder::new(layout, level),
            flood: FloodScratch::new(layout),
            recheck: RecheckBatch::default(),
            candidates: vec![[0; W]; layout.rows.len()],
            list: Vec::new(),
        }
    }
}

/// Positions whose cached pushes are rechecked together: the targets of their pushes are far apart, so
/// all of them are prefetched before the first is checked.
#[derive(Default)]
struct RecheckBatch {
    /// Row, lane, and the end of its targets.
    positions: Vec<(usize, LocalLane, usize)>,
    targets: Vec<Location>,
}

impl RecheckBatch {
    const SIZE: usize = 16;

    /// Removes the positions that have no push into the plane, and empties the batch; returns
    /// whether there were any.
    fn remove_without_push<const W: usize>(
        &mut self,
        opponent_side: &OpponentSide<'_>,
        kept: &mut CachedBlock,
    ) -> bool {
        self.targets.iter().for_each(|&target| opponent_side.prefetch::<W>(target));
        let (mut removed, mut first) = (false, 0);
        for &(row, lane, end) in &self.positions {
            let targets = &self.targets[first..end];
            first = end;
            if !targets.iter().any(|&target| opponent_side.has::<W>(target))
                && let Some(kept) = kept.row::<W>(row)
            {
                remove_lane(kept, lane);
                removed = true;
            }
        }
        self.positions.clear();
        self.targets.clear();
        removed
    }
}

/// A phase, and what it needs of the board.
#[derive(Clone, Copy)]
pub(crate) struct PhaseRun<'a> {
    pub layout: &'a Layout,
    pub level: SimdLevel,
    pub phase: Phase<'a>,
    pub undecided: &'a [SparseCells],
    pub restriction: Option<&'a [SparseCells]>,
    pub push_cache: Option<&'a PushCache>,
    /// How pushes into the phase's plane are found, and those into the newest wins.
    pub search: PushSearch,
    pub search_wins: PushSearch,
    pub on_result: &'a OnResult<'a>,
}

/// The blocks that are visited.
enum BlockSelection<const W: usize> {
    /// All.
    All,
    /// The blocks of this job; no other block reads anything new.
    Changed(PusherSetJob<W>),
    /// Blocks with a push into a new win; all other pushes are cached, see [`PushCache`].
    Cached,
}

/// The superblocks of a job that have candidates.
fn superblocks_of<const W: usize>(job: &PusherSetJob<W>) -> impl Iterator<Item = SuperblockId> + Clone {
    let needed = job.anchors.iter().zip(&job.needed).filter(|(_, needed)| any_bit(needed));
    needed.map(|((_, superblock), _)| *superblock)
}

/// Finds the pushes of a phase.
#[inline(always)]
fn find_pushes<const W: usize>(
    pext: impl Pext,
    run: PhaseRun<'_>,
    job: &PusherSetJob<W>,
    push_cache: Option<&PushCache>,
    finder: &mut PushFinder<W>,
) -> BlockSelection<W> {
    let layout = run.layout;
    let goal = match run.phase {
        Phase::Initial => PushGoal::Eject,
        Phase::NoPush => PushGoal::Any,
        Phase::Losses(plane, _) | Phase::Wins(plane) => PushGoal::Into(plane, run.search),
    };
    let known =
        |push_cache: &PushCache| superblocks_of(job).all(|superblock| push_cache.are_known(superblock));
    // The pushes into new wins show which blocks read something new.
    let mut new_wins = match run.phase {
        Phase::Losses(_, Some(wins)) if push_cache.is_none_or(known) => Some(wins),
        _ => None,
    };
    let mut selection = BlockSelection::All;
    loop {
        let looking = new_wins.take();
        let wanted = looking.map_or(goal, |wins| PushGoal::Into(wins, run.search_wins));
        let among = if let BlockSelection::Changed(changed) = &selection { changed } else { job };
        // One call for both, because it is compiled at every call.
        finder.find(pext, layout, among, wanted);
        if looking.is_none() {
            return selection;
        }
        let filled: Vec<[u64; W]> =
            (job.needed.iter().enumerate()).map(|(anchor, needed)| finder.filled(anchor, needed)).collect();
        if push_cache.is_some() {
            let (mut blocks, mut pushes) = (0, 0);
            for (anchor, lanes) in filled.iter().enumerate() {
                for lane in lanes_of(lanes) {
                    blocks += 1;
                    pushes += finder
                        .block(layout, anchor, lane)
                        .map_or(0, |block| count_bits(block.as_flattened()));
                }
            }
            if pushes <= blocks * MAX_PUSHES_PER_BLOCK {
                return BlockSelection::Cached;
            }
        }
        let number = |superblock| job.anchors.iter().position(|anchor| anchor.1 == superblock);
        let mut needed = |superblock| number(superblock).map_or([0; W], |number| filled[number]);
        selection = BlockSelection::Changed(PusherSetJob::new(layout, job.number, &mut needed));
    }
}

/// The current block.
struct BlockView<'a, const W: usize> {
    layout: &'a Layout,
    job: &'a PusherSetJob<W>,
    anchor: Square,
    superblock: SuperblockId,
    lane: LocalLane,
    /// The opposing pawns, and the lanes without a pawn on their squares.
    pawns: Squares,
    base: [u64; W],
    /// The mover's pushers for each cell, and the lanes without a pawn on their squares.
    movers: &'a [(Squares, [u64; W])],
    /// The cells of its rows.
    cells: &'a [u16],
}

impl<'a, const W: usize> BlockView<'a, W> {
    /// The mover's pushers in a row.
    #[inline(always)]
    fn pushers(&self, row: usize) -> Squares {
        self.movers[usize::from(self.cells[row])].0
    }

    /// The mover's pawns in a lane.
    #[inline(always)]
    fn pawns_of(&self, lane: LocalLane) -> Squares {
        self.layout.local_pawns(self.job.number, lane)
    }

    /// The positions that a phase examines.
    #[inline(always)]
    fn set_candidates(&self, run: PhaseRun<'_>, candidates: &mut [[u64; W]]) {
        let kept = match run.phase {
            Phase::Initial => run.restriction,
            _ => Some(run.undecided),
        };
        if let Some(kept) = kept {
            kept[self.superblock].copy_rows(self.cells, self.lane, candidates);
        }
        if !matches!(run.phase, Phase::Initial) {
            return;
        }
        for (candidates, &cell) in candidates.iter_mut().zip(self.cells) {
            let own = self.movers[usize::from(cell)];
            let mut bits = legal_row(self.layout, self.job, self.anchor, self.pawns, own, &self.base);
            if kept.is_some() {
                and(&mut bits, candidates);
            }
            *candidates = bits;
        }
    }

    /// Rechecks cached pushes, some of which lead into new wins; returns whether any position has
    /// lost its last push.
    fn recheck_pushes(
        &self,
        plane: &'a [SparseCells],
        new: &[[u64; W]],
        kept: &mut CachedBlock,
        batch: &mut RecheckBatch,
    ) -> bool {
        let opponent_side = OpponentSide::new(self.layout, plane, self.job, self.anchor, self.pawns);
        let mut removed = false;
        for (row, new) in new.iter().enumerate().filter(|(_, new)| any_bit(new)) {
            let Some(in_row) = kept.row::<W>(row) else { continue };
            for lane in lanes_of(&std::array::from_fn::<_, W, _>(|word| new[word] & in_row[word])) {
                opponent_side.list_pushes::<W>(self.pushers(row), self.pawns_of(lane), &mut batch.targets);
                batch.positions.push((row, lane, batch.targets.len()));
                if batch.positions.len() == RecheckBatch::SIZE {
                    removed |= batch.remove_without_push::<W>(&opponent_side, kept);
                }
            }
        }
        removed | batch.remove_without_push::<W>(&opponent_side, kept)
    }
}

/// The blocks of one set of opposing pushers in a phase. (No closures in its hot loops: they would
/// be compiled without the instructions of the kernel.)
struct BlockPhase<'a, const W: usize> {
    run: PhaseRun<'a>,
    job: &'a PusherSetJob<W>,
    /// Whether pushes other than those into new wins are in the cache.
    cached: bool,
    movers: &'a [(Squares, [u64; W])],
}

impl<'a, const W: usize> BlockPhase<'a, W> {
    /// Whether the phase looks for reached positions; otherwise it looks for the others.
    #[inline(always)]
    fn keeps_reached(&self) -> bool {
        matches!(self.run.phase, Phase::Wins(_))
    }

    #[inline(always)]
    fn view(&self, number: usize, lane: LocalLane) -> BlockView<'a, W> {
        let (layout, job) = (self.run.layout, self.job);
        let (anchor, superblock) = job.anchors[number];
        let pawns = layout.local_pawns(job.number, lane);
        let (base, cells) = (job.lanes_clear_of(pawns), &layout.cells_clear_of[lane]);
        BlockView { layout, job, anchor, superblock, lane, pawns, base, movers: self.movers, cells }
    }

    /// Merges a block's pushes with the cached ones; returns whether the block has work to do.
    #[inline(always)]
    fn update_cache(
        &self,
        view: &BlockView<'a, W>,
        push_cache: &mut CachedSuperblockLock<'_>,
        block: Option<&mut [[u64; W]]>,
        recheck: &mut RecheckBatch,
    ) -> bool {
        match (block, self.run.phase) {
            (Some(block), Phase::Losses(plane, _)) if self.cached => {
                let known = push_cache.block(view.lane);
                if !view.recheck_pushes(plane, block, known, recheck) {
                    return false;
                }
                known.load(block);
            }
            (block, _) => push_cache.set(view.lane, block.as_deref()),
        }
        true
    }

    /// Closes a block under moves and lists the results of the phase in it.
    #[inline(always)]
    fn run_block(
        &self,
        number: usize,
        lane: LocalLane,
        push_cache: Option<&mut CachedSuperblockLock<'_>>,
        scratch: &mut BlockScratch<W>,
        found: &mut SuperblockResult,
    ) {
        let (layout, level) = (self.run.layout, self.run.level);
        let BlockScratch { finder, flood, recheck, candidates, list } = scratch;
        let mut block = finder.block(layout, number, lane);
        if block.is_none() && (self.cached || self.keeps_reached()) {
            return;
        }
        let view = self.view(number, lane);
        if let Some(push_cache) = push_cache
            && !self.update_cache(&view, push_cache, block.as_deref_mut(), recheck)
        {
            return;
        }
        view.set_candidates(self.run, candidates);
        let reached: &[[u64; W]] = match block {
            Some(block) => {
                if matches!(self.run.phase, Phase::Initial | Phase::NoPush) {
                    for row in &mut *block {
                        and(row, &view.base);
                    }
                }
                let masks = &FloodMasks::new(layout, self.job.pushers, view.pawns, &view.base);
                let (bits, wanted, scratch) = (&mut *block, &**candidates, flood);
                level.run(Flood { level, layout, masks, bits, wanted, scratch });
                block
            }
            None => &[],
        };
        self.collect(&view, (reached, candidates), list, found);
    }

    /// Lists the candidates of a block that are reached, or that are not, depending on the phase.
    #[inline(always)]
    fn collect(
        &self,
        view: &BlockView<'a, W>,
        (reached, candidates): (&[[u64; W]], &[[u64; W]]),
        list: &mut Vec<SparseRow<W>>,
        found: &mut SuperblockResult,
    ) {
        let keep_reached = self.keeps_reached();
        let mut won = 0;
        for (row, (&cell, candidates)) in view.cells.iter().zip(candidates).enumerate() {
            let reached = match reached.get(row) {
                Some(reached) => reached,
                None => &[0; W],
            };
            let mut bits = [0; W];
            for word in 0..W {
                won += u64::from((candidates[word] & reached[word]).count_ones());
                bits[word] = candidates[word] & if keep_reached { reached[word] } else { !reached[word] };
            }
            if any_bit(&bits) {
                list.push((cell.into(), view.lane, bits));
            }
        }
        found.won += won;
    }
}

/// Runs a phase for one set of opposing pushers.
pub(crate) struct JobRun<'a, const W: usize> {
    pub run: PhaseRun<'a>,
    pub whole: &'a PusherSetJob<W>,
    pub scratch: &'a mut BlockScratch<W>,
}

impl<const W: usize> Kernel for JobRun<'_, W> {
    type Output = Result<(), SolveError>;

    #[inline(always)]
    fn run(self, pext: impl Pext) -> Result<(), SolveError> {
        let JobRun { run, whole, scratch } = self;
        let layout = run.layout;
        let push_cache = match run.phase {
            Phase::Losses(..) => {
                run.push_cache.filter(|push_cache| push_cache.retains(superblocks_of(whole)))
            }
            _ => None,
        };
        let selection = find_pushes(pext, run, whole, push_cache, &mut scratch.finder);
        let job = if let BlockSelection::Changed(job) = &selection { job } else { whole };
        let mover = |&packed: &PackedSquares| {
            let pushers = expand(packed, layout.board.all() & !job.pushers);
            (pushers, job.lanes_clear_of(pushers))
        };
        let movers: Vec<(Squares, [u64; W])> = layout.cells.iter().map(mover).collect();
        let cached = matches!(selection, BlockSelection::Cached);
        let blocks = BlockPhase { run, job, cached, movers: &movers };
        for (number, &(_, superblock)) in job.anchors.iter().enumerate() {
            if !any_bit(&whole.needed[number]) {
                continue;
            }
            scratch.list.clear();
            let mut push_cache =
                push_cache.map(|push_cache| push_cache.open(layout, superblock, &whole.needed[number]));
            let mut found = SuperblockResult { cells: SparseCells::default(), won: 0 };
            for lane in lanes_of(&job.needed[number]) {
                blocks.run_block(number, lane, push_cache.as_mut(), scratch, &mut found);
            }
            found.cells = SparseCells::new(layout.cells.len(), &scratch.list);
            (run.on_result)(superblock, found)?;
        }
        Ok(())
    }
}

#[inline(always)]
fn and<const W: usize>(row: &mut [u64; W], mask: &[u64; W]) {
    row.iter_mut().zip(mask).for_each(|(row, mask)| *row &= mask);
}
