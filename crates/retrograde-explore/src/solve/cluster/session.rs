//! The start and the end of a solve with several processes: the game's directory, the log, errors.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use retrograde_cluster::{ClusterCheckpoint, ClusterError, JoinOptions, Session};
use retrograde_solve::{Exchange, Progress, SolveError};
use retrograde_table::{GameLock, directory_name, seal_json_line, write_all};

use crate::game::solvers::SolverSpec;
use crate::machine::limits::field;
use crate::solve::leftovers::{GameState, remove_leftovers};
use crate::solve::run::{Existing, existing};
use crate::{AnyGame, Error, SolveOptions, Statistics};

/// The log, with one sealed line of JSON per process and solve.
const LOG: &str = "cluster.log";

/// Process 0 locks the game's directory and checks whether there is a table; the others receive the
/// result.
pub(crate) fn begin(
    entry: &Arc<AnyGame>,
    session: &mut Session,
    spec: &SolverSpec,
    SharedTask { tables, options, progress, .. }: SharedTask<'_>,
) -> Result<Beginning, Error> {
    let name = entry.game.name();
    let first = session.process() == 0;
    let lock = if first { Some(GameLock::acquire(tables, &name)?) } else { None };
    let (mut there, mut damaged) = (None, false);
    if let Some(lock) = &lock {
        match existing(entry, tables, options, Some(spec), progress)? {
            Existing::Whole(statistics) => there = Some(statistics),
            Existing::Damaged => damaged = true,
            Existing::Insufficient => {}
        }
        let found = GameState { spec: Some(spec), solved: there.is_some() };
        remove_leftovers(entry, lock, options, found, progress)?;
    }
    let directory = match &lock {
        Some(lock) => lock.directory().to_owned(),
        None => tables.join(directory_name(&name)),
    };
    if session.broadcast_from_first(there.is_some())? {
        // Process 0 has removed what an earlier run left in its own folder.
        if !first {
            ClusterCheckpoint::new(&directory, "").storage(options.storage.clone()).remove()?;
        }
        return Ok(Beginning::Solved(there));
    }
    Ok(Beginning::Unsolved(GameDirectory { lock, directory, damaged }))
}

/// Logs everything that differs between runs to a file next to the table: time, host, duration,
/// bytes sent.
pub(crate) fn log(
    entry: &AnyGame,
    session: &Session,
    directory: &Path,
    SharedTask { options, join, .. }: SharedTask<'_>,
    began: Instant,
) {
    let (sent, received) = session.traffic();
    let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let line = serde_json::json!({
        "game": entry.game.name(),
        "unix_time": since_1970.map_or(0, |time| time.as_secs()),
        "process": session.process(),
        "address": join.hosts.address(session.process()),
        "threads": session.threads(),
        "seconds": began.elapsed().as_secs_f64(),
        "sent_bytes": sent,
        "received_bytes": received,
        "peak_memory_bytes": peak_memory(),
    });
    // The table does not depend on the log.
    let file = options.storage.append(&directory.join(LOG));
    let _ = file.and_then(|mut file| write_all(&mut *file, seal_json_line(&line)?.as_bytes()));
}

/// The peak memory of this process, if the system reports it.
fn peak_memory() -> Option<u64> {
    field(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM")
}

pub(crate) fn explained_cluster_error(entry: &AnyGame, error: ClusterError) -> Error {
    match error {
        ClusterError::Solve(SolveError::Stopped) => Error::Stopped,
        ClusterError::Solve(error) => entry.explained(error),
        ClusterError::Sink(error) => match error.downcast::<Error>() {
            Ok(error) => *error,
            Err(error) => ClusterError::Sink(error).into(),
        },
        error => error.into(),
    }
}

/// The request for a solve with several processes.
#[derive(Clone, Copy)]
pub(super) struct SharedTask<'a> {
    pub tables: &'a Path,
    pub options: &'a SolveOptions,
    pub join: &'a JoinOptions,
    pub progress: &'a dyn Progress,
}

/// The initial state of a solve with several processes.
pub(crate) enum Beginning {
    /// Process 0 has the statistics.
    Solved(Option<Box<Statistics>>),
    Unsolved(GameDirectory),
}

/// A game's directory, and in process 0 its lock.
pub(crate) struct GameDirectory {
    pub lock: Option<GameLock>,
    pub directory: PathBuf,
    /// Whether process 0 has found a damaged table.
    pub damaged: bool,
}
