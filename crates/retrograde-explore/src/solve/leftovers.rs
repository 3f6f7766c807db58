//! The leftovers of a killed run in a game's directory. The next run reports them, and removes them
//! or resumes from them.

use std::path::Path;

use retrograde_solve::{Checkpoint, Progress};
use retrograde_table::{
    CheckpointPace, DiskStorage, GameLock, RemovedFile, SpillFolder, Storage, WorkFile, directory_name,
    remove_file, remove_unfinished,
};

use crate::game::solvers::SolverSpec;
use crate::solve::work_identity::work_identity;
use crate::store::{shades, sparse};
use crate::{AnyGame, Error, SolveOptions};

/// The counts of published files, which `retrograde-games` stores next to them.
const PUBLISHED_COUNTS: &str = "published-counts.json";
/// The extensions of work files that a solve can resume from and that its estimate includes.
const WORK_ENDINGS: [&str; 2] = [".rgw", ".rgl"];
/// The extension of files that an archive removes before it is solved `again`.
const ARCHIVE_ENDING: &str = ".rgp";
/// The folder of the checkpoints of several processes, and the file that completes one.
const CLUSTER: &str = "cluster";
const CLUSTER_MANIFEST: &str = "manifest.json";
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
        // A solve with other options may still resume from its work.
        if work.is_own() {
            removed.extend(remove_file(&*options.storage, work.path())?);
        }
        if work.has_spilled() {
            let folder = work.spill_folder();
            let bytes = bytes_in(&*options.storage, &folder, |_| true);
            options.storage.remove_directory(&folder)?;
            removed.push(RemovedFile { path: folder, bytes });
        }
    }
    let shared = lock.directory().join(CLUSTER);
    if options.storage.names(&shared).is_ok() {
        let bytes = bytes_in(&*options.storage, &shared, |_| true);
        options.storage.remove_directory(&shared)?;
        removed.push(RemovedFile { path: shared, bytes });
    }
    Ok(removed)
}

/// The total size of the files with `wanted` names in a directory.
fn bytes_in(storage: &dyn Storage, directory: &Path, wanted: impl Fn(&str) -> bool) -> u64 {
    let length = |name: &String| storage.open(&directory.join(name)).and_then(|file| file.length());
    let names = storage.names(directory).unwrap_or_default();
    names.iter().filter(|name| wanted(name)).map(|name| length(name).unwrap_or(0)).sum()
}

/// Whether an interrupted solve has left files from which the next one can resume.
pub fn has_saved_work(tables: &Path, game: &str) -> bool {
    let directory = tables.join(directory_name(game));
    let names = |folder: &str| DiskStorage.names(&directory.join(folder)).unwrap_or_default();
    let is_work = |name: &String| WORK_ENDINGS.iter().any(|ending| name.ends_with(ending));
    names("").iter().any(is_work)
        || names(SPILL).iter().any(|name| SpillFolder::is_content(name))
        || names(CLUSTER).iter().any(|name| name == CLUSTER_MANIFEST)
}

/// The bytes in a game's directory that a solve can reuse: it resumes from these files or removes
/// them first.
pub(crate) fn reused_bytes(directory: &Path, options: &SolveOptions) -> u64 {
    bytes_in(&*options.storage, directory, |name| {
        let is_work = WORK_ENDINGS.iter().any(|ending| name.ends_with(ending));
        is_work || options.again && name.ends_with(ARCHIVE_ENDING)
    })
}
