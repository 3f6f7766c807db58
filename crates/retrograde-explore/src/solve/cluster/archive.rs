//! An archive solved by several processes: each holds a part of the game, and process 0 writes the
//! same files as a single machine.

use std::sync::Arc;
use std::time::Instant;

use retrograde_cluster::Session;
use retrograde_solve::Exchange;

use super::session::{Beginning, GameDirectory, SharedTask, begin, explained_of_all, log};
use crate::game::any_game::AnyGame;
use crate::game::open::OpenGame;
use crate::game::solvers::SolverSpec;
use crate::query::statistics::statistics_of;
use crate::solve::plan::choose;
use crate::{ArchiveJob, ArchiveSolver, ClusterPlan, Count, Error, SolveOptions, Statistics};

/// The assumed memory of one machine without a limit. A game whose table fits it gets a table.
pub(super) const ONE_MACHINE: u64 = 16 << 30;

/// The archive solver, if a single machine with the memory of all processes would choose it. All
/// processes must choose the same, so this depends on their options and not on their resources.
pub(crate) fn shared_archive_solver<'a>(
    entry: &'a AnyGame,
    options: &SolveOptions,
    processes: u32,
) -> Option<(&'a SolverSpec, &'a dyn ArchiveSolver)> {
    let (spec, solver) = entry.own_archive_solver()?;
    solver.estimate_together(processes)?;
    if options.occurring_only {
        return None;
    }
    let memory = options.memory.map_or(ONE_MACHINE, |memory| memory.saturating_mul(processes.into()));
    match choose(entry, options, memory) {
        Ok(chosen) if chosen.archive().is_none() => None,
        _ => Some((spec, solver)),
    }
}

pub(crate) fn plan_archive_together(
    entry: &AnyGame,
    options: &SolveOptions,
    processes: u32,
) -> Option<ClusterPlan> {
    let processes = processes.max(1);
    let (spec, solver) = shared_archive_solver(entry, options, processes)?;
    let (estimated, sent) = solver.estimate_together(processes)?;
    let all = entry.index_counts().map_or(0, |(_, all)| all);
    let wins = if options.with_wins { estimated.wins } else { 0 };
    Some(ClusterPlan {
        game: entry.game.name(),
        method: spec.method,
        processes,
        indices: Some(Count(all.div_ceil(processes.into()))),
        memory: Count(estimated.memory),
        disk: Count(0),
        disk_first: Count(estimated.disk + wins + estimated.work),
        network: Some(Count(sent)),
        seconds: Some(estimated.seconds / options.threads.max(1) as f64),
        advice: String::new(),
    })
}

/// Solves the game into an archive, as one of several processes.
pub(crate) fn solve_archive_together(
    entry: &Arc<AnyGame>,
    session: &mut Session,
    (spec, solver): (&SolverSpec, &dyn ArchiveSolver),
    task: SharedTask<'_>,
) -> Result<Option<Statistics>, Error> {
    let SharedTask { tables, options, progress, .. } = task;
    let began = Instant::now();
    let first = session.process() == 0;
    let GameDirectory { lock: _lock, directory, damaged } = match begin(entry, session, spec, task)? {
        Beginning::Solved(there) => return Ok(there.map(|there| *there)),
        Beginning::Unsolved(place) => place,
    };
    let job = ArchiveJob::new(&directory, options, damaged, progress);
    let solved = solver.solve_together(&job, session);
    solved.map_err(|error| explained_of_all(entry, error.into()))?;
    let written = match first {
        true => {
            let opened = OpenGame::open(entry.clone(), &options.storage, tables)?;
            Some(statistics_of(&opened, opened.stored()?))
        }
        false => None,
    };
    let all = session.broadcast_from_first(true);
    // The solution is complete, so a failure of another process no longer matters.
    if !first {
        all?;
    }
    log(entry, session, &directory, task, began);
    Ok(written)
}
