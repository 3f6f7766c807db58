//! An archive solved by several processes: each holds a part of the game, and process 0 writes the
//! same files as a single machine.

use std::sync::Arc;
use std::time::Instant;

use retrograde_cluster::Session;
use retrograde_solve::Exchange;

use super::session::{Beginning, GameDirectory, SharedTask, begin, explained_cluster_error, log};
use crate::game::any_game::AnyGame;
use crate::game::open::OpenGame;
use crate::game::solvers::SolverSpec;
use crate::query::statistics::statistics_of;
use crate::{ArchiveJob, ArchiveSolver, Error, Statistics};

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
    solved.map_err(|error| explained_cluster_error(entry, error.into()))?;
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
