//! The leftovers of a killed run in a game's directory. The next run reports them, and removes them
//! or resumes from them.

use std::path::Path;

use retrograde_solve::Progress;
use retrograde_table::{
    CheckpointPace, GameLock, RemovedFile, Storage, WorkFile, remove_folder, remove_unfinished,
};

use crate::game::solvers::SolverSpec;
use crate::solve::plan::plan_with_solver;
use crate::solve::work_identity::work_identity;
use crate::store::{shades, sparse};
use crate::{AnyGame, Error, SolveOptions};

/// The counts of published files, which `retrograde-games` stores next to them.
const PUBLISHED_COUNTS: &str = "published-counts.json";
/// The extension of the logs of phases.
const PHASE_LOG: &str = ".rgl";
/// The extensions of work files that a solve can resume from and that its estimate includes.
const WORK_ENDINGS: [&str; 2] = [".rgw", PHASE_LOG];
/// The extension of files that an archive removes before it is solved `again`.
const ARCHIVE_ENDING: &str = ".rgp";
/// The folder of the checkpoints of several processes, the file of process 0 that completes one, and the
/// extension of the files of every process.
const CLUSTER: &str = "cluster";
const CLUSTER_MANIFEST: &str = "manifest.json";
const CLUSTER_SHARD: &str = ".shard";
/// The folder of a solve that does not fit into memory.
const SPILL: &str = "work";

/// The state of a game after its lock was taken.
#[derive(Clone, Copy)]
pub(crate) struct GameState<'a> {
    /// The solver of this run.
    pub spec: Option<&'a SolverSpec>,
    /// Whether there is a complete table with all requested values.
    pub solved: bool,
}

/// Removes the leftovers of a dead writer and reports them: unfinished files and, next to a complete
/// table, the work files of its solve.
pub(crate) fn remove_leftovers(
    entry: &AnyGame,
    lock: &GameLock,
    options: &SolveOptions,
    found: GameState<'_>,
    progress: &dyn Progress,
) -> Result<(), Error> {
    let (storage, directory) = (&*options.storage, lock.directory());
    let mut removed = remove_unfinished(storage, directory, &[sparse::FILE, shades::FILE, PUBLISHED_COUNTS])?;
    if found.solved {
        removed.extend(remove_work(entry, lock, options, found.spec)?);
    }
    removed.iter().for_each(|file| progress.note(&file.note()));
    if let Some((_, solver)) = entry.own_archive_solver() {
        let solved = found.solved && !options.keep_work;
        let notes = solver.remove_leftovers(directory, &options.storage, solved);
        notes.map_err(|error| entry.explained(error))?.iter().for_each(|note| progress.note(note));
    }
    Ok(())
}

/// Removes the work file and the shared checkpoint of a solved game.
fn remove_work(
    entry: &AnyGame,
    lock: &GameLock,
    options: &SolveOptions,
    spec: Option<&SolverSpec>,
) -> Result<Vec<RemovedFile>, Error> {
    let mut removed = Vec::new();
    if let Some(spec) = spec {
        let identity = work_identity(entry, spec, options);
        let work = WorkFile::new(lock, &identity, CheckpointPace::default(), options.storage.clone());
        removed.extend(work.remove_own()?);
    }
    let shared = lock.directory().join(CLUSTER);
    if options.storage.names(&shared).is_ok() {
        removed.extend(remove_folder(&*options.storage, &shared)?);
    }
    Ok(removed)
}

/// The total size of the files with `wanted` names in a directory.
fn bytes_in(storage: &dyn Storage, directory: &Path, wanted: impl Fn(&str) -> bool) -> u64 {
    let length = |name: &String| storage.open(&directory.join(name)).and_then(|file| file.length());
    let names = storage.names(directory).unwrap_or_default();
    names.iter().filter(|name| wanted(name)).map(|name| length(name).unwrap_or(0)).sum()
}

impl AnyGame {
    /// Whether an interrupted solve with these options has left files from which it can resume. A solve on
    /// several processes is asked with the number of this one.
    pub fn has_saved_work(&self, tables: &Path, options: &SolveOptions, process: Option<usize>) -> bool {
        let Ok(lock) = GameLock::acquire(tables, &self.game.name()) else { return false };
        let names = |folder: &Path| options.storage.names(folder).unwrap_or_default();
        let any = |folder: &Path, ending: &str| names(folder).iter().any(|name| name.ends_with(ending));
        let shared = lock.directory().join(CLUSTER);
        let own = || {
            let (_, spec) = plan_with_solver(self, options);
            let identity = work_identity(self, spec?, options);
            let work = WorkFile::new(&lock, &identity, CheckpointPace::default(), options.storage.clone());
            Some(work.is_saved())
        };
        any(lock.directory(), PHASE_LOG)
            || match process {
                None => own() == Some(true),
                Some(0) => any(&shared, CLUSTER_MANIFEST),
                Some(_) => any(&shared, CLUSTER_SHARD),
            }
    }
}

/// The bytes in a game's directory that a solve can reuse: it resumes from these files or removes
/// them first.
pub(crate) fn reused_bytes(directory: &Path, options: &SolveOptions) -> u64 {
    let own = bytes_in(&*options.storage, directory, |name| {
        let is_work = WORK_ENDINGS.iter().any(|ending| name.ends_with(ending));
        is_work || options.again && name.ends_with(ARCHIVE_ENDING)
    });
    own + bytes_in(&*options.storage, &directory.join(SPILL), |_| true)
}
