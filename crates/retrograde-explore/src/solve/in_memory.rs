//! Solving without files: the values stay in memory, as scores of all indices or as an archive. A browser
//! solves like this, and so can any program that needs a small game once.

use std::path::Path;
use std::sync::Arc;

use retrograde_game::Turns;
use retrograde_solve::clock::Instant;
use retrograde_solve::{Job, NoCheckpoint, Progress, Scores};
use retrograde_table::{Counts, MemoryStorage, Storage, directory_name};

use crate::game::solvers::{Solved, Solver};
use crate::long_work::long_work;
use crate::solve::plan::{plan_with_solver, promises_hold};
use crate::solve::write::{count_scores, start_of, start_value};
use crate::store::in_memory::InMemory;
use crate::{AnyGame, ArchiveJob, ArchiveSolver, Error, OpenGame, SolveOptions, ValueStore, allowed_memory};

impl AnyGame {
    /// Solves in memory and returns the opened game. Options about files are ignored.
    ///
    /// # Errors
    /// Returns an error if it does not fit or was stopped.
    pub fn solve_in_memory(
        self: &Arc<Self>,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<OpenGame, Error> {
        long_work(|| {
            let began = Instant::now();
            let name = self.game.name();
            let options = SolveOptions { in_memory: true, ..options.clone() };
            let (plan, spec) = plan_with_solver(self, &options);
            promises_hold(self, spec)?;
            let solve = match spec.map(|spec| &spec.solve) {
                Some(Solver::Values(solve)) => solve,
                Some(Solver::Archive(solver)) => {
                    // The memory in the plan includes these files.
                    let files = u64::try_from(plan.disk.0 + plan.work.0).unwrap_or(u64::MAX);
                    return solve_archive(self, &**solver, &options, files, progress);
                }
                None => return Err(Error::TooLarge(format!("{name} was not solved. {}", plan.advice))),
            };
            let mut job = Job {
                threads: options.threads.max(1),
                memory: allowed_memory(options.memory),
                horizon: options.phases.map(Turns),
                progress,
                checkpoint: &mut NoCheckpoint,
            };
            let scores = match solve(&mut job).map_err(|error| self.explained(error))? {
                Solved::Scores(scores) => scores,
                // In memory, only solvers that keep turns and all positions are chosen.
                Solved::Bits(_) | Solved::Sparse(_) | Solved::Staged(_) => {
                    return Err(Error::Unsupported(format!("{name} cannot be solved in memory alone")));
                }
            };
            let prelude = self.dense().map_or(0, |dense| dense.prelude());
            let mut counts = counts_of(&scores, prelude, job.threads)?;
            for (outcome, count) in self.left_out() {
                counts.add_over(outcome, count);
            }
            let start = start_of(start_value(self, &|index| Ok(scores.stored(index)))?);
            let undecided = counts.unknown.0 > 0 || start.outcome.is_none();
            // If nothing is undecided, there is no horizon.
            let horizon = options.phases.map(Turns).filter(|_| undecided);
            let seconds = began.elapsed().as_secs_f64();
            let values = InMemory { scores, counts, start, seconds, horizon, prelude };
            let values: Option<Box<dyn ValueStore>> = Some(Box::new(values));
            Ok(OpenGame { entry: self.clone(), values, shades: None, shade_note: None, files: None })
        })
    }
}

/// Solves into an archive in memory, whose files take this many bytes.
fn solve_archive(
    entry: &Arc<AnyGame>,
    solver: &dyn ArchiveSolver,
    options: &SolveOptions,
    files: u64,
    progress: &dyn Progress,
) -> Result<OpenGame, Error> {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let tables = Path::new("memory");
    let directory = tables.join(directory_name(&entry.game.name()));
    let options =
        SolveOptions { storage: storage.clone(), again: false, keep_work: false, ..options.clone() };
    let job = ArchiveJob::new(&directory, &options, false, progress);
    let job = ArchiveJob { memory: job.memory.saturating_sub(files), ..job };
    solver.solve(&job).map_err(|error| entry.explained(error))?;
    entry.explore_in(storage, tables)
}

/// The counts of the game proper.
fn counts_of(scores: &Scores, prelude: u64, threads: usize) -> Result<Counts, Error> {
    let proper = scores.len().saturating_sub(usize::try_from(prelude).unwrap_or(usize::MAX));
    match scores {
        Scores::Narrow(scores) => count_scores(&scores[..proper], threads),
        Scores::Wide(scores) => count_scores(&scores[..proper], threads),
    }
}
