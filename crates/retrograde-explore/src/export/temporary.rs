//! Temporary files and folders, in which exports are written until they are complete.
//!
//! Each is called `.retrograde-PROCESS-NUMBER.partial`, is in the folder of the final file, and is locked
//! while it is written. The system releases the lock when the writer ends, even if it crashes. The next
//! export into the folder finds the files without a lock and removes them.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use retrograde_table::open_regular;

const BEGIN: &str = ".retrograde-";
const END: &str = ".partial";

/// The temporary files and folders of this process.
static PRESENT: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// Called before the first one is created.
static BEFORE_FIRST: OnceLock<fn()> = OnceLock::new();

/// Sets the function to call before a temporary file or folder is created. A program can use it to make sure
/// that [`remove_temporaries`] is called before a signal ends the program.
pub fn before_temporaries(call: fn()) {
    // If a process runs this twice, as in tests, the first one is kept.
    let _ = BEFORE_FIRST.set(call);
}

/// Removes the temporary files and folders of this process, which is about to end.
pub fn remove_temporaries() {
    for path in PRESENT.lock().drain(..) {
        remove(&path);
    }
}

/// Removes a file or a folder, if possible.
fn remove(path: &Path) {
    if fs::remove_file(path).is_err() {
        let _ = fs::remove_dir_all(path);
    }
}

/// A temporary file or folder. Dropping it removes it, unless it was renamed.
pub(super) struct Temporary {
    pub path: PathBuf,
    /// The lock is released when this is closed.
    _lock: Option<File>,
}

impl Temporary {
    /// Creates a file that will be called `name`.
    pub(super) fn file(name: &Path) -> io::Result<(Temporary, File)> {
        Temporary::new(name, |path| {
            let file = OpenOptions::new().write(true).create_new(true).open(path)?;
            Ok((file.try_clone().ok(), file))
        })
    }

    /// Creates a folder that will be called `name`.
    pub(super) fn folder(name: &Path) -> io::Result<Temporary> {
        let made = Temporary::new(name, |path| {
            fs::create_dir(path)?;
            Ok((File::open(path).ok(), ()))
        });
        made.map(|(folder, ())| folder)
    }

    fn new<T>(
        name: &Path,
        make: impl Fn(&Path) -> io::Result<(Option<File>, T)>,
    ) -> io::Result<(Temporary, T)> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        if let Some(call) = BEFORE_FIRST.get() {
            call();
        }
        let folder = name.parent().unwrap_or(Path::new(""));
        remove_left(folder);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{BEGIN}{}-{number}{END}", std::process::id()));
            PRESENT.lock().push(path.clone());
            let (lock, made) = match make(&path) {
                // A file of an earlier process with this number that cannot be removed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    forget(&path);
                    continue;
                }
                Err(error) => {
                    forget(&path);
                    return Err(error);
                }
                Ok(made) => made,
            };
            let locked = lock.as_ref().map(File::try_lock);
            let temporary = Temporary { path, _lock: lock };
            // Another process may have found and removed it before it was locked.
            if matches!(locked, Some(Err(TryLockError::WouldBlock))) || !temporary.path.exists() {
                continue;
            }
            return Ok((temporary, made));
        }
    }

    /// Renames it to its final name.
    pub(super) fn rename(self, name: &Path) -> io::Result<()> {
        fs::rename(&self.path, name)?;
        forget(&self.path);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let present = forget(&self.path);
        if present {
            remove(&self.path);
        }
    }
}

/// Removes a path from the list; returns whether it was there.
fn forget(path: &Path) -> bool {
    let mut present = PRESENT.lock();
    let before = present.len();
    present.retain(|other| other != path);
    present.len() < before
}

/// Removes the temporary files in a folder whose writers have ended. Does so once per folder, since a
/// command may write many files.
fn remove_left(folder: &Path) {
    static CLEANED_FOLDERS: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);
    if !CLEANED_FOLDERS.lock().get_or_insert_default().insert(folder.to_owned()) {
        return;
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(BEGIN) || !name.ends_with(END) {
            continue;
        }
        let path = entry.path();
        let opened = match entry.file_type() {
            Ok(kind) if kind.is_dir() => File::open(&path),
            Ok(kind) if kind.is_file() => open_regular(&path, OpenOptions::new().read(true)),
            _ => continue,
        };
        // If files cannot be locked here, the writer may still be running.
        if let Ok(file) = opened
            && file.try_lock().is_ok()
        {
            // The lock is held until the file is gone, so nobody takes it for theirs meanwhile.
            remove(&path);
            drop(file);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn leftovers_of_dead_processes_are_removed_and_files_in_use_stay() {
        let folder = retrograde_testkit::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path(".retrograde-1-0.partial"), "left").unwrap();
        fs::create_dir(path(".retrograde-2-0.partial")).unwrap();
        fs::write(path(".retrograde-2-0.partial/rows"), "left").unwrap();
        let alive = File::create(path(".retrograde-3-0.partial")).unwrap();
        alive.lock().unwrap();
        fs::write(path(".mine.partial"), "mine").unwrap();
        let (temporary, _file) = Temporary::file(&path("out")).unwrap();
        let mut names: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let own = temporary.path.file_name().unwrap().to_str().unwrap().to_owned();
        let mut right = vec![".mine.partial".to_owned(), ".retrograde-3-0.partial".to_owned(), own];
        right.sort();
        assert_eq!(names, right);
        temporary.rename(&path("out")).unwrap();
        drop(Temporary::folder(&path("folder")).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }
}
