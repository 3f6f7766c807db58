//! Finds out which files contain the values of a game: the ones that are read when it is opened.
//!
//! A game's directory also contains locks, logs, checkpoints and unfinished files, and each kind of
//! store has its own files. An exporter does not need to know them: it opens the game through
//! [`OpenedFiles`] and publishes the files that were opened. They stay open, so the exporter
//! publishes what it opened, even if the game is solved again in the meantime. The times of solves
//! are hidden, so that the site depends only on the game and its values.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::directory::files::RUN;
use crate::storage::{Source, Storage};

/// The names of files with times: those of tables, and those of solvers with phases.
const TIMES: [&str; 2] = [RUN, "times.json"];

/// A file that stays open.
pub type SharedSource = Arc<dyn Source>;

/// A read-only storage that records every file that is opened.
#[derive(Clone)]
pub struct OpenedFiles {
    storage: Arc<dyn Storage>,
    files: Arc<Mutex<BTreeMap<PathBuf, SharedSource>>>,
}

impl std::fmt::Debug for OpenedFiles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenedFiles").field("storage", &self.storage).finish_non_exhaustive()
    }
}

impl OpenedFiles {
    /// Creates a recorder for another storage.
    pub fn of(storage: Arc<dyn Storage>) -> OpenedFiles {
        OpenedFiles { storage, files: Arc::default() }
    }

    /// The files that were opened in a directory, by name; `FOLDER/NAME` for files in a subfolder.
    pub fn in_directory(&self, directory: &Path) -> Vec<(String, SharedSource)> {
        let files = self.files.lock();
        let inside = files.iter().filter_map(|(path, source)| {
            let names: Option<Vec<&str>> =
                path.strip_prefix(directory).ok()?.iter().map(|name| name.to_str()).collect();
            Some((names?.join("/"), Arc::clone(source)))
        });
        inside.collect()
    }
}

/// Another reader of the same open file.
struct Shared(SharedSource);

impl Source for Shared {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.0.read_at(buffer, offset)
    }

    fn length(&self) -> io::Result<u64> {
        self.0.length()
    }

    fn needs_prepare(&self) -> bool {
        self.0.needs_prepare()
    }

    fn prepare(&self, ranges: &[Range<u64>]) -> io::Result<()> {
        self.0.prepare(ranges)
    }
}

impl Storage for OpenedFiles {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        if TIMES.iter().any(|name| path.ends_with(name)) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let source: SharedSource = Arc::from(self.storage.open(path)?);
        // A file that is opened again may have been replaced by a newer one.
        self.files.lock().insert(path.to_owned(), Arc::clone(&source));
        Ok(Box::new(Shared(source)))
    }

    fn names(&self, path: &Path) -> io::Result<Vec<String>> {
        self.storage.names(path)
    }
}
