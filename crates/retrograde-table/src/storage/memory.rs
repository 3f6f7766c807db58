//! Files in memory: tables embedded in a page, where there is no disk, solutions of a solve without
//! files, and small work files.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::{Mutex, RwLock};

use crate::storage::{Sink, Source, Storage};

type Files = BTreeMap<PathBuf, Arc<RwLock<Content>>>;

/// A file. Readers see what was synced, and everything once its writer is dropped.
struct Content {
    bytes: Vec<u8>,
    /// The number of bytes that readers see.
    synced: usize,
}

/// Files by path. A directory exists if it contains files.
#[derive(Clone, Default)]
pub struct MemoryStorage(Arc<Mutex<Files>>);

impl std::fmt::Debug for MemoryStorage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.lock().keys()).finish()
    }
}

impl MemoryStorage {
    /// Creates an empty storage.
    pub fn new() -> MemoryStorage {
        MemoryStorage::default()
    }

    /// Adds a file.
    #[must_use]
    pub fn with(self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) -> MemoryStorage {
        self.new_file(&path.into(), bytes.into());
        self
    }

    fn new_file(&self, path: &Path, bytes: Vec<u8>) -> Box<dyn Sink> {
        let file = Arc::new(RwLock::new(Content { synced: bytes.len(), bytes }));
        self.0.lock().insert(path.to_owned(), Arc::clone(&file));
        Box::new(NewFile(file))
    }
}

/// A file that is being written.
struct NewFile(Arc<RwLock<Content>>);

impl Sink for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write().bytes.extend(bytes);
        Ok(bytes.len())
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut content = self.0.write();
        content.synced = content.bytes.len();
        Ok(())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        let _ = self.sync();
    }
}

struct OpenFile(Arc<RwLock<Content>>);

impl Source for OpenFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let content = self.0.read();
        let synced = &content.bytes[..content.synced];
        let rest = usize::try_from(offset).ok().and_then(|offset| synced.get(offset..)).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.0.read().synced as u64)
    }
}

impl Storage for MemoryStorage {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        match self.0.lock().get(path) {
            Some(file) => Ok(Box::new(OpenFile(Arc::clone(file)))),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn names(&self, path: &Path) -> io::Result<Vec<String>> {
        let files = self.0.lock();
        let inside = files.keys().filter(|file| file.parent() == Some(path));
        Ok(inside.filter_map(|file| Some(file.file_name()?.to_str()?.to_owned())).collect())
    }

    fn is_private(&self) -> bool {
        true
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        Ok(self.new_file(path, Vec::new()))
    }

    fn append(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        let there = self.0.lock().get(path).map(Arc::clone);
        Ok(match there {
            Some(file) => Box::new(NewFile(file)),
            None => self.new_file(path, Vec::new()),
        })
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut files = self.0.lock();
        let file = files.remove(from).ok_or(io::ErrorKind::NotFound)?;
        files.insert(to.to_owned(), file);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.0.lock().remove(path).map(drop).ok_or(io::ErrorKind::NotFound.into())
    }

    fn create_directory(&self, _path: &Path) -> io::Result<()> {
        Ok(())
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        self.0.lock().retain(|file, _| !file.starts_with(path));
        Ok(())
    }

    fn sync_directory(&self, _path: &Path) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::read_up_to;

    #[test]
    fn files_are_read_and_written() {
        let memory = MemoryStorage::new().with("a/b", *b"hello").with("a/c", *b"");
        let file = memory.open(Path::new("a/b")).unwrap();
        let mut buffer = [0; 4];
        assert_eq!((file.length().unwrap(), read_up_to(&*file, &mut buffer, 2).unwrap()), (5, 3));
        assert_eq!(&buffer[..3], b"llo");
        assert_eq!(file.read_at(&mut buffer, 6).unwrap() + file.read_at(&mut buffer, u64::MAX).unwrap(), 0);
        assert_eq!(memory.names(Path::new("a")).unwrap(), ["b", "c"]);
        assert_eq!(memory.open(Path::new("a")).err().unwrap().kind(), io::ErrorKind::NotFound);
        let (new, old) = (Path::new("d/new"), Path::new("d/old"));
        let mut sink = memory.create(new).unwrap();
        sink.write(b"one").unwrap();
        assert_eq!(memory.open(new).unwrap().length().unwrap(), 0);
        sink.sync().unwrap();
        assert_eq!(memory.open(new).unwrap().length().unwrap(), 3);
        drop(sink);
        memory.append(new).unwrap().write(b"two").unwrap();
        memory.rename(new, old).unwrap();
        assert!(memory.open(new).is_err() && memory.rename(new, old).is_err());
        assert_eq!(memory.open(old).unwrap().length().unwrap(), 6);
        memory.remove(old).unwrap();
        assert!(memory.remove(old).is_err());
        memory.remove_directory(Path::new("a")).unwrap();
        assert!(memory.names(Path::new("a")).unwrap().is_empty());
    }
}
