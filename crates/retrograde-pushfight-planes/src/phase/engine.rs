//! Keeps the undecided positions of a board, and runs phases over all its superblocks with several
//! threads.

use std::sync::Arc;

use retrograde_game::Turns;
use retrograde_pushfight::PushFight;
use retrograde_solve::{Progress, SolveError};

use crate::kernel::push::PushSearch;
use crate::kernel::simd::SimdLevel;
use crate::layout::lanes::LocalLane;
use crate::layout::numbering::{Layout, with_words};
use crate::layout::partition::BoardPart;
use crate::layout::pusher_set_job::PusherSetJob;
use crate::layout::scope::Scope;
use crate::layout::sets::insert_lane_if;
use crate::layout::sparse::{Plane, SparseCells, count_bits, count_positions, empty_plane};
use crate::layout::superblocks::{SuperblockId, by_superblock};
use crate::parallel::{for_each_parallel, try_for_each_with};
use crate::phase::block::{BlockScratch, JobRun, PhaseRun};
use crate::phase::kinds::{OnResult, Phase, PhaseId, is_loss};
use crate::phase::push_cache::PushCache;

/// The board, its undecided positions, and the cached pushes.
pub(crate) struct Engine {
    pub layout: Layout,
    pub undecided: Plane,
    /// If set, only the part's own superblocks are processed.
    pub part: Option<Arc<BoardPart>>,
    /// If set, only these positions are examined.
    pub restriction: Option<Plane>,
    /// If set, caches pushes into undecided positions from one loss phase to the next.
    pub push_cache: Option<PushCache>,
    /// The number of undecided positions for every superblock and local lane of opposing pawns.
    undecided_in_block: Vec<Vec<u32>>,
    pub level: SimdLevel,
    threads: usize,
}

/// New wins per undecided block above which most blocks read some of them, so that skipping the others
/// does not pay off.
const BLOCK_SKIP_RATIO: u64 = 30;
/// New wins per undecided block below which pushes are cached. Storing them costs a fifth of a phase
/// once; this only makes phases faster if there are few new wins.
const PUSH_CACHE_RATIO: u64 = 60;

impl Engine {
    /// An engine for a board, with the fastest instructions that the processor has.
    pub(crate) fn of_board(game: &PushFight, scope: Scope, threads: usize) -> Result<Engine, SolveError> {
        Ok(Engine::new(Layout::of_board(game, scope)?, SimdLevel::best(), threads))
    }

    pub(crate) fn new(layout: Layout, level: SimdLevel, threads: usize) -> Engine {
        let undecided = empty_plane(layout.superblocks.len());
        let undecided_in_block = vec![Vec::new(); layout.superblocks.len()];
        Engine {
            layout,
            undecided,
            part: None,
            restriction: None,
            push_cache: None,
            undecided_in_block,
            level,
            threads: threads.max(1),
        }
    }

    /// Whether a superblock belongs to the engine's part.
    fn owns(&self, superblock: SuperblockId) -> bool {
        self.part.as_ref().is_none_or(|part| part.owns(&self.layout, superblock))
    }

    /// Bytes that the undecided positions take.
    pub(crate) fn bytes(&self) -> usize {
        self.undecided.iter().map(SparseCells::bytes).sum()
    }

    /// The number of blocks with undecided positions, within the engine's part.
    pub(crate) fn blocks(&self) -> usize {
        let undecided_in_block =
            by_superblock(&self.undecided_in_block).filter(|(superblock, _)| self.owns(*superblock));
        undecided_in_block
            .flat_map(|(_, undecided_in_block)| undecided_in_block)
            .filter(|undecided_in_block| **undecided_in_block > 0)
            .count()
    }

    /// Runs a phase, and passes its results to `on_result`. Skips superblocks that are `done` (the list
    /// may be shorter), and those without an undecided position.
    ///
    /// # Errors
    /// The errors of `on_result`; [`SolveError::Stopped`] if it was stopped.
    pub(crate) fn run_phase(
        &self,
        name: &str,
        phase: Phase<'_>,
        done: &[bool],
        progress: &dyn Progress,
        on_result: &OnResult<'_>,
    ) -> Result<(), SolveError> {
        let jobs: Vec<usize> = (0..self.layout.pusher_sets.len())
            .filter(|&number| self.part.as_ref().is_none_or(|part| part.owns_set(number)))
            .filter(|&number| {
                let anchors = self.layout.pusher_sets[number].with(self.layout.no_anchor());
                anchors.into_iter().any(|anchor| self.layout.superblock_of(number, anchor).is_some())
            })
            .collect();
        let superblocks = self.layout.superblocks.ids().filter(|&superblock| self.owns(superblock));
        let cells = superblocks.count() * self.layout.cells.len();
        let faster = |plane: &[SparseCells]| {
            let rows = by_superblock(plane).filter(|(superblock, _)| self.owns(*superblock));
            let rows = rows.map(|(_, cells)| cells.row_count()).sum();
            PushSearch::faster(cells, rows, || self.count_examined(plane))
        };
        let (search, search_wins) = match phase {
            Phase::Initial | Phase::NoPush => (PushSearch::ByPattern, PushSearch::ByPattern),
            Phase::Wins(plane) | Phase::Losses(plane, None) => (faster(plane), PushSearch::ByPattern),
            Phase::Losses(plane, Some(wins)) => (faster(plane), faster(wins)),
        };
        progress.stage(name, jobs.len() as u64);
        let run = PhaseRun {
            layout: &self.layout,
            level: self.level,
            phase,
            undecided: &self.undecided,
            restriction: self.restriction.as_deref(),
            push_cache: self.push_cache.as_ref(),
            search,
            search_wins,
            on_result,
        };
        with_words!(self.layout, W => self.run_jobs::<W>(jobs, run, done, progress))
    }

    /// Runs a phase for some sets of opposing pushers.
    fn run_jobs<const W: usize>(
        &self,
        jobs: Vec<usize>,
        run: PhaseRun<'_>,
        done: &[bool],
        progress: &dyn Progress,
    ) -> Result<(), SolveError> {
        let scratch = || BlockScratch::<W>::new(&self.layout, self.level);
        try_for_each_with(self.threads, jobs, progress, scratch, |scratch, number| {
            let job = PusherSetJob::new(&self.layout, number, &mut |superblock| match run.phase {
                _ if done.get(superblock.index()) == Some(&true) => [0; W],
                Phase::Initial if let Some(restriction) = &self.restriction => {
                    let rows = restriction[superblock].present.as_chunks::<W>().0.iter();
                    rows.fold([0; W], |any, row| std::array::from_fn(|at| any[at] | row[at]))
                }
                Phase::Initial => self.layout.all_lanes(),
                _ => {
                    let mut lanes = [0; W];
                    for (lane, &undecided) in self.undecided_in_block[superblock].iter().enumerate() {
                        insert_lane_if(&mut lanes, LocalLane::new(lane), undecided > 0);
                    }
                    lanes
                }
            });
            if job.idle() { Ok(()) } else { self.level.run(JobRun { run, whole: &job, scratch }) }
        })
    }

    /// The phase that finds these positions; `newest` has the results of the phase before, and is empty if
    /// they are not known.
    pub(crate) fn phase_for<'a>(&'a self, id: PhaseId, newest: &'a [SparseCells]) -> Phase<'a> {
        match id {
            PhaseId::Turns(Turns(0)) => Phase::NoPush,
            // Most wins in one turn are not stored.
            PhaseId::Turns(Turns(2)) => Phase::Losses(&self.undecided, None),
            PhaseId::Turns(turns) if is_loss(turns) => Phase::Losses(&self.undecided, self.frontier(newest)),
            _ => Phase::Wins(newest),
        }
    }

    /// The newest wins, if they are known and so few that skipping blocks pays off.
    pub(crate) fn frontier<'a>(&self, wins: &'a [SparseCells]) -> Option<&'a [SparseCells]> {
        let few = || self.count_examined(wins) < self.blocks() as u64 * BLOCK_SKIP_RATIO;
        (!wins.is_empty() && (self.push_cache.is_some() || few())).then_some(wins)
    }

    /// Must be called before a loss phase. Starts caching pushes if there are few enough new wins; the
    /// cache uses the memory that is left of `memory`.
    pub(crate) fn update_push_cache(&mut self, turns: Turns, newest: &[SparseCells], memory: u64) {
        // Besides the undecided positions, the newest results and the threads' scratch need memory.
        let undecided = self.bytes() as u64;
        let spare = memory.saturating_sub(undecided * 3 / 2);
        // A smaller cache would hold less than half of the pushes.
        if self.push_cache.is_none()
            && turns > Turns(2)
            && count_positions(newest, self.threads) < self.blocks() as u64 * PUSH_CACHE_RATIO
            && spare >= undecided
        {
            self.push_cache = Some(PushCache::new(&self.layout));
        }
        if let Some(push_cache) = &mut self.push_cache {
            push_cache.begin(turns, spare);
        }
    }

    /// Removes decided positions from the undecided ones. Those in rows that the undecided positions have must
    /// be undecided.
    pub(crate) fn remove_decided(&mut self, decided: &[SparseCells]) {
        let items = self.undecided.iter_mut().zip(&mut self.undecided_in_block).zip(decided);
        for_each_parallel(self.threads, items.collect(), |((undecided, undecided_in_block), decided)| {
            undecided.subtract(decided, |lane, count| undecided_in_block[lane] -= count);
        });
    }

    /// Sets the undecided positions.
    pub(crate) fn set_undecided(&mut self, undecided: Plane) {
        self.undecided = undecided;
        self.count_undecided();
    }

    /// Must be called after the undecided positions have been replaced. Only positions in superblocks of the
    /// engine's part are counted, so none may be removed from the others.
    pub(crate) fn count_undecided(&mut self) {
        let owned: Vec<bool> = self.layout.superblocks.ids().map(|id| self.owns(id)).collect();
        self.undecided_in_block.resize_with(self.undecided.len(), Vec::new);
        let lanes = self.layout.lanes;
        let items = by_superblock(self.undecided.iter().zip(&mut self.undecided_in_block));
        for_each_parallel(self.threads, items.collect(), |(superblock, (cells, undecided_in_block))| {
            undecided_in_block.clear();
            undecided_in_block.resize(lanes, 0);
            if owned[superblock] {
                cells.for_each_row(|_, lane, row| {
                    undecided_in_block[lane] += count_bits(row) as u32;
                });
            }
        });
    }

    /// Estimates how many positions of a plane are examined: all, or the share of the engine's part.
    fn count_examined(&self, plane: &[SparseCells]) -> u64 {
        let all = count_positions(plane, self.threads);
        if self.part.is_none() {
            return all;
        }
        let owned = self.layout.superblocks.ids().filter(|&id| self.owns(id)).count() as u64;
        let in_own = by_superblock(plane).filter(|(id, _)| self.owns(*id)).map(|(_, cells)| cells.count());
        in_own.sum::<u64>().max(all * owned / self.layout.superblocks.len().max(1) as u64)
    }
}
