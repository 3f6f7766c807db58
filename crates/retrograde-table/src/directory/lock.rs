//! The lock of a game's directory allows one writer at a time, across processes. The system
//! releases it when its holder ends, even by a crash, so a dead writer never blocks the next.
//! Readers do not lock.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::files::LOCK;
use super::names::directory_name;
use crate::error::TableError;
use crate::storage::{Storage, open_regular};

/// The right to write the table and the work file of one game. Clones share the lock; dropping the
/// last one releases it.
#[derive(Clone, Debug)]
pub struct GameLock {
    held: Arc<Held>,
}

#[derive(Debug)]
struct Held {
    directory: PathBuf,
    game: String,
    // Closing the file unlocks it. Private storages have no such file.
    _file: Option<File>,
}

impl GameLock {
    /// [`GameLock::acquire`] for files in any storage. A storage that no other process can see is not
    /// locked.
    ///
    /// # Errors
    /// As [`GameLock::acquire`].
    pub fn acquire_in(storage: &dyn Storage, tables_dir: &Path, game: &str) -> Result<GameLock, TableError> {
        let directory = tables_dir.join(directory_name(game));
        if !storage.is_private() {
            // A site refuses this, before a folder with its address is made here.
            let made = storage.create_directory(&directory);
            made.map_err(|error| TableError::io("create", &directory, error))?;
            return GameLock::acquire(tables_dir, game);
        }
        let held = Held { directory, game: game.to_owned(), _file: None };
        Ok(GameLock { held: Arc::new(held) })
    }

    /// Creates the directory of a game if necessary, and locks it.
    ///
    /// # Errors
    /// [`TableError::Locked`] if the lock is held elsewhere; an error of the system.
    pub fn acquire(tables_dir: &Path, game: &str) -> Result<GameLock, TableError> {
        let directory = tables_dir.join(directory_name(game));
        fs::create_dir_all(&directory).map_err(|error| TableError::io("create", &directory, error))?;
        let path = directory.join(LOCK);
        let mut how = File::options();
        how.read(true).write(true).create(true).truncate(false);
        let file = open_regular(&path, &how)
            // The lock file may belong to another user. A writable directory is enough to write the table.
            .or_else(|error| match error.kind() {
                io::ErrorKind::PermissionDenied => open_regular(&path, File::options().read(true)),
                _ => Err(error),
            })
            .map_err(|error| TableError::io("write", &path, error))?;
        // A reader that checks for a writer holds a shared lock for a moment, so retry.
        for attempt in 0..5 {
            match file.try_lock() {
                Ok(()) => {
                    let held = Held { directory, game: game.to_owned(), _file: Some(file) };
                    return Ok(GameLock { held: Arc::new(held) });
                }
                Err(TryLockError::WouldBlock) if attempt < 4 => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(TableError::io("lock", &path, error)),
            }
        }
        Err(TableError::Locked { path: directory })
    }

    /// The directory of the game.
    pub fn directory(&self) -> &Path {
        &self.held.directory
    }

    /// The canonical name of the game.
    pub fn game(&self) -> &str {
        &self.held.game
    }
}

/// Whether the lock of a directory is held. Creates no file.
pub(crate) fn is_locked(directory: &Path) -> bool {
    let lock = directory.join(LOCK);
    let Ok(file) = open_regular(&lock, File::options().read(true)) else { return false };
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// Root ignores permissions, so this shows only for other users.
    #[test]
    fn a_read_only_lock_file_can_be_locked() {
        let folder = retrograde_testkit::tempdir().unwrap();
        let held = GameLock::acquire(folder.path(), "nim:3").unwrap();
        let path = held.directory().join(LOCK);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        assert!(matches!(GameLock::acquire(folder.path(), "nim:3"), Err(TableError::Locked { .. })));
        drop(held);
        GameLock::acquire(folder.path(), "nim:3").unwrap();
    }
}
