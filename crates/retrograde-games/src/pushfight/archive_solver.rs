//! The solver of Push Fight, which works in phases.

use std::path::Path;
use std::sync::Arc;

use retrograde_explore::{ArchiveJob, ArchiveSolver, LONG_WORK, Reachable, ResourceEstimate, ValueStore};
use retrograde_game::{Game, Symmetries, Turns};
use retrograde_pushfight::PushFight;
use retrograde_pushfight_planes as planes;
use retrograde_solve::{Exchange, Progress, SolveError};
use retrograde_table::compression::COMPRESSES;
use retrograde_table::{RemovedFile, Storage, TableError};

use super::archive::PlanesArchive;
use crate::HAS_DISK;

/// Bytes of disk for undecided positions, per plausible position up to symmetry: initially 0.023 on
/// `onecolumn`, 0.037 on `twocolumn`, 0.030 on `full` with two pushers. While it is rewritten, this nearly
/// doubles, and the results since the last rewrite take an eighth more.
const UNDECIDED_BYTES: f64 = 0.037 * 2.3;
/// The cost of loading all undecided positions from disk once, as a share of the time of a phase: a fifth in
/// the phase of 2 turns, on `onecolumn` and on `full` with two pushers.
const READING_EFFORT: f64 = 0.2;
/// How much larger files are where they are not compressed: measured as 2.2 to 2.7 for the logs of small boards.
const STORED_BYTES: f64 = if COMPRESSES { 1.0 } else { 2.5 };
/// How much longer a solve takes without vector instructions: measured as 1.7 to 6.4 in WebAssembly, on boards
/// of 2 to 81 million plausible positions. Everything in WebAssembly is slower by another factor.
const SCALAR_EFFORT: f64 = if cfg!(target_family = "wasm") { 3.2 } else { 1.0 };
/// The share of the solving time that it takes to find the legal positions, before the first phase.
const LEGAL_POSITIONS_SHARE: f64 = 0.012;

/// Bytes of a block of a solution in addition to its positions. There is a block for each arrangement of the
/// mover's pieces up to symmetry. This counts on small boards only: 107 bytes on `mini`, 146 with one move.
const BLOCK_BYTES: f64 = 140.0;

/// The number of ways to choose `count` of `from` things.
fn ways(from: u32, count: u32) -> f64 {
    (0..count).map(|chosen| f64::from(from.saturating_sub(chosen)) / f64::from(chosen + 1)).product()
}

/// Solves in phases, and logs each phase.
pub(crate) struct PlanesSolver {
    pub game: PushFight,
}

/// The solver's resources, and the files that it keeps.
fn solve_config<'a>(job: &ArchiveJob<'a>, parts: usize) -> (planes::SolveConfig<'a>, planes::Retention) {
    let config = planes::SolveConfig {
        threads: job.options.threads,
        horizon: job.options.phases.map(Turns),
        progress: job.progress,
        storage: job.options.storage.clone(),
        parts,
        memory: job.memory,
    };
    (config, planes::Retention { logs: job.options.keep_work, wins: job.options.with_wins })
}

impl ArchiveSolver for PlanesSolver {
    fn estimate(&self, memory: u64, threads: usize) -> Option<ResourceEstimate> {
        if !LONG_WORK {
            return None;
        }
        let estimate = planes::Estimate::new(&self.game, threads)?;
        let parts = estimate.parts(memory).unwrap_or(planes::MAX_PARTS);
        let memory = estimate.memory(parts);
        // Bytes of the solution and of logs, and core-seconds, per plausible position are as on the
        // standard board. A solve in parts also stores undecided positions on disk, and reads them in
        // every phase.
        let positions = self.game.plausible_count()? as f64;
        let stored = positions * estimate.relative_size() * STORED_BYTES;
        let (side, squares) = (self.game.sides()[0], self.game.board().square_count() as u32);
        let arrangements =
            ways(squares, side.pushers) * ways(squares.saturating_sub(side.pushers), side.pawns);
        let blocks = arrangements / self.game.symmetry_count().max(1) as f64 * BLOCK_BYTES;
        let (mut work, mut seconds) = (0.05, estimate.relative_effort());
        if parts > 1 {
            work += UNDECIDED_BYTES / self.game.symmetry_count().max(1) as f64;
            seconds *= 1.0 + READING_EFFORT * estimate.readings(parts);
        }
        Some(ResourceEstimate {
            memory,
            enough: estimate.useful_memory().max(memory),
            disk: (stored * 0.016 + blocks) as u128,
            wins: (stored * 0.017 + blocks) as u128,
            work: (stored * work) as u128,
            seconds: seconds * SCALAR_EFFORT * positions / 39e6,
        })
    }

    fn solve(&self, job: &ArchiveJob<'_>) -> Result<(), SolveError> {
        if !LONG_WORK {
            return Err(SolveError::TooLarge { count: self.game.position_count() });
        }
        let estimate = planes::Estimate::new(&self.game, job.options.threads);
        let Some(parts) = estimate.as_ref().and_then(|estimate| estimate.parts(job.memory)) else {
            let need = estimate.map(|estimate| estimate.memory(planes::MAX_PARTS));
            let need = need.and_then(|need| u64::try_from(need).ok()).unwrap_or(u64::MAX);
            return Err(SolveError::Memory { need, limit: job.memory });
        };
        if job.options.again {
            planes::remove_solution(&self.game, job.directory, &job.options.storage)?;
        }
        let (config, keep) = solve_config(job, parts);
        let solve = if HAS_DISK && job.damaged { planes::repair } else { planes::solve_into };
        solve(&self.game, job.directory, &config, keep).map(|_| ())
    }

    fn is_there(&self, directory: &Path, storage: &dyn Storage) -> bool {
        planes::has_solution(directory, storage)
    }

    fn remove_leftovers(
        &self,
        directory: &Path,
        storage: &Arc<dyn Storage>,
        solved: bool,
    ) -> Result<Vec<String>, SolveError> {
        if !HAS_DISK {
            return Ok(Vec::new());
        }
        let removed = planes::remove_leftovers(&self.game, directory, storage, solved)?;
        let kept = planes::interrupted_work(directory, &**storage);
        let kept = kept.iter().map(|(folder, by)| {
            format!("{} was left unfinished by an earlier run; {by} resumes it", folder.display())
        });
        Ok(removed.iter().map(RemovedFile::note).chain(kept).collect())
    }

    fn estimate_together(&self, processes: u32, threads: usize) -> Option<(ResourceEstimate, u128)> {
        let alone = self.estimate(u64::MAX, threads)?;
        let memory = planes::Estimate::new(&self.game, threads)?.memory_together(processes as usize);
        // Each process sends the others those cells of its results that they hold.
        let sent = alone.work as f64 * (memory as f64 / alone.memory as f64).min(1.0);
        // Each process finds the legal positions by itself.
        let seconds = alone.seconds * (1.0 / f64::from(processes.max(1)) + LEGAL_POSITIONS_SHARE);
        Some((ResourceEstimate { memory, seconds, ..alone }, sent as u128))
    }

    fn solve_together(&self, job: &ArchiveJob<'_>, exchange: &mut dyn Exchange) -> Result<(), SolveError> {
        if !HAS_DISK {
            return self.solve(job);
        }
        let (config, mut keep) = solve_config(job, 1);
        // Several processes start over if there is damage. Wins that were there are found again.
        if (job.options.again || job.damaged) && exchange.process() == 0 {
            keep.wins |= job.damaged && planes::has_wins(job.directory, &*job.options.storage);
            planes::remove_solution(&self.game, job.directory, &job.options.storage)?;
        }
        planes::solve_distributed(&self.game, job.directory, &config, keep, exchange).map(|_| ())
    }

    fn count_reachable(
        &self,
        memory: u64,
        threads: usize,
        progress: &dyn Progress,
    ) -> Option<Result<Reachable, SolveError>> {
        planes::reachable_memory_needed(&self.game, threads).filter(|_| HAS_DISK)?;
        let count = |count: u64| retrograde_explore::Count(count.into());
        Some(planes::count_reachable(&self.game, memory, threads, progress).map(|found| Reachable {
            game: self.game.name(),
            positions: retrograde_explore::Count(self.game.position_count()),
            positions_up_to_symmetry: false,
            reachable: count(found.all + self.game.start_count()),
            before: count(self.game.start_count()),
            finished: None,
            up_to_symmetry: found.up_to_symmetry.map(count),
            with_images: self.game.symmetry_count() > 1,
            counts: Vec::new(),
        }))
    }

    fn open(
        &self,
        directory: &Path,
        storage: &Arc<dyn Storage>,
    ) -> Result<Option<Box<dyn ValueStore>>, TableError> {
        PlanesArchive::open(&self.game, directory, storage)
    }
}
