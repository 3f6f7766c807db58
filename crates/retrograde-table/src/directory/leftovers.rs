//! Finds and removes files that an earlier run left in the directory of a game. Every file is first
//! written under a temporary name, so a writer that is killed leaves a useless file. The user is
//! told about everything that is removed.

use std::io;
use std::path::{Path, PathBuf};

use super::files::{MANIFEST, RUN, VALUES, WORK};
use super::lock::GameLock;
use crate::error::TableError;
use crate::storage::{Storage, UNFINISHED};

/// A file that was removed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemovedFile {
    /// Its path.
    pub path: PathBuf,
    /// Its length in bytes.
    pub bytes: u64,
}

impl RemovedFile {
    /// A message for the user.
    pub fn note(&self) -> String {
        format!("removed a leftover of an earlier run: {} ({} bytes)", self.path.display(), self.bytes)
    }
}

/// Removes a file. Returns `None` if it does not exist.
///
/// # Errors
/// An error of the system.
pub fn remove_file(storage: &dyn Storage, path: &Path) -> Result<Option<RemovedFile>, TableError> {
    let bytes = storage.open(path).and_then(|source| source.length()).unwrap_or(0);
    match storage.remove(path) {
        Ok(()) => Ok(Some(RemovedFile { path: path.to_owned(), bytes })),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(TableError::io("remove", path, error)),
    }
}

/// Removes a folder with all its files. Returns `None` if it does not exist.
///
/// # Errors
/// An error of the system.
pub fn remove_folder(storage: &dyn Storage, path: &Path) -> Result<Option<RemovedFile>, TableError> {
    let length = |name| storage.open(&path.join(name)).and_then(|file| file.length()).unwrap_or(0);
    let bytes = storage.names(path).unwrap_or_default().into_iter().map(length).sum();
    match storage.remove_directory(path) {
        Ok(()) => Ok(Some(RemovedFile { path: path.to_owned(), bytes })),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(TableError::io("remove", path, error)),
    }
}

/// Removes the table of a locked game, if there is one.
///
/// # Errors
/// An error of the system.
pub fn remove_table(storage: &dyn Storage, lock: &GameLock) -> Result<(), TableError> {
    // Without its manifest, it is not a table any more.
    let mut names = [MANIFEST].into_iter().chain(VALUES);
    names.try_for_each(|name| remove_file(storage, &lock.directory().join(name)).map(drop))
}

/// Removes the unfinished files in a directory: unfinished tables, and unfinished files with one of
/// these names. The caller must hold the lock.
///
/// # Errors
/// An error of the system.
pub fn remove_unfinished(
    storage: &dyn Storage,
    directory: &Path,
    names: &[&str],
) -> Result<Vec<RemovedFile>, TableError> {
    let found = match storage.names(directory) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(TableError::io("read", directory, error)),
    };
    let mut removed = Vec::new();
    for name in found {
        let finished = name.strip_suffix(UNFINISHED);
        let ours = |name: &str| {
            names.contains(&name) || VALUES.contains(&name) || [MANIFEST, RUN, WORK].contains(&name)
        };
        if finished.is_some_and(ours) {
            removed.extend(remove_file(storage, &directory.join(&name))?);
        }
    }
    removed.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(removed)
}
