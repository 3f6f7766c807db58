//! A folder of files for data that does not fit into memory ([`Spill`]). It is next to the table that is
//! being solved, and an interrupted solve resumes from it.
//!
//! The file `identity` says to which solve the folder belongs; the files of another solve are removed. Every
//! other file is a [block log](BlockLogWriter) with its name as the label. It is written under another name,
//! synced and renamed.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_solve::reachable::Spill;

use crate::directory::leftovers::remove_folder;
use crate::error::TableError;
use crate::storage::{Source, Storage, UNFINISHED, read_whole, replace_file};
use crate::write::block_log::{BlockLogReader, BlockLogWriter, with_restart_hint};

/// The file that identifies the solve.
const IDENTITY: &str = "identity";

/// A folder with the files of one solve.
#[derive(Debug)]
pub struct SpillFolder {
    folder: PathBuf,
    storage: Arc<dyn Storage>,
    compressed: bool,
}

impl SpillFolder {
    /// Opens the folder of a solve, with the files of an earlier run of the same solve. Removes the files of
    /// another solve. With `compressed`, what is written is compressed.
    ///
    /// # Errors
    /// An I/O error.
    pub fn open(
        storage: Arc<dyn Storage>,
        folder: &Path,
        identity: &str,
        compressed: bool,
    ) -> Result<SpillFolder, TableError> {
        let folder = folder.to_owned();
        if !SpillFolder::belongs_to(&*storage, &folder, identity) {
            remove_folder(&*storage, &folder)?;
            let made = storage.create_directory(&folder);
            made.map_err(|error| TableError::io("create", &folder, error))?;
            replace_file(&*storage, &folder.join(IDENTITY), |out| out.write_all(identity.as_bytes()))?;
        }
        Ok(SpillFolder { folder, storage, compressed })
    }

    /// Returns whether a file of a folder is finished and holds data of the solve.
    pub fn is_content(name: &str) -> bool {
        name != IDENTITY && !name.ends_with(UNFINISHED)
    }

    /// Returns whether the folder exists and belongs to this solve.
    pub fn belongs_to(storage: &dyn Storage, folder: &Path, identity: &str) -> bool {
        let read = |source: Box<dyn Source>| read_whole(&*source, identity.len() as u64);
        let found = storage.open(&folder.join(IDENTITY)).and_then(read);
        matches!(found, Ok(Some(found)) if found == identity.as_bytes())
    }
}

impl Spill for SpillFolder {
    fn write(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let written = replace_file(&*self.storage, &self.folder.join(name), |out| {
            let mut log = BlockLogWriter::begin(out, name, self.compressed)?;
            fill(&mut log)?;
            log.end().map(drop)
        });
        written.map_err(io::Error::from)
    }

    fn read(&self, name: &str) -> io::Result<Box<dyn Read + Send>> {
        let opened = BlockLogReader::open(&*self.storage, &self.folder.join(name), name);
        Ok(Box::new(opened.map_err(with_restart_hint)?))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.storage.remove(&self.folder.join(name))
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = self.storage.names(&self.folder)?;
        names.retain(|name| SpillFolder::is_content(name));
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::DiskStorage;

    #[test]
    fn only_the_same_solve_keeps_its_files() {
        let place = retrograde_testkit::tempdir().unwrap();
        let path = place.path().join("work");
        let open = |identity: &str| SpillFolder::open(Arc::new(DiskStorage), &path, identity, true).unwrap();
        let all = |name: &str| {
            let mut bytes = Vec::new();
            open("mine").read(name)?.read_to_end(&mut bytes)?;
            Ok::<_, io::Error>(bytes)
        };
        open("mine").write("file", &mut |out| out.write_all(b"x")).unwrap();
        std::fs::write(path.join("half.tmp"), "").unwrap();
        assert_eq!(open("mine").names().unwrap(), ["file"]);
        let failed = open("mine").write("file", &mut |_| Err(io::Error::other("no")));
        assert!(failed.is_err() && all("file").unwrap() == b"x");
        // Under another name it is another file.
        std::fs::copy(path.join("file"), path.join("other")).unwrap();
        assert!(all("other").unwrap_err().to_string().contains("other"));
        assert!(open("mine and more").names().unwrap().is_empty());
        assert!(remove_folder(&DiskStorage, &path).unwrap().is_some());
        assert!(remove_folder(&DiskStorage, &path).unwrap().is_none());
        assert!(!path.exists());
    }
}
