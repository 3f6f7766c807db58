//! Files that are in memory: tables that came with a page, where there is no disk. They can be read
//! only.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::storage::{Source, Storage};

/// Files by their paths.
#[derive(Clone, Default)]
pub struct MemoryStorage(BTreeMap<PathBuf, Arc<[u8]>>);

impl std::fmt::Debug for MemoryStorage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl MemoryStorage {
    /// No files.
    pub fn new() -> MemoryStorage {
        MemoryStorage::default()
    }

    /// With a further file.
    #[must_use]
    pub fn with(mut self, path: impl Into<PathBuf>, bytes: impl Into<Arc<[u8]>>) -> MemoryStorage {
        self.0.insert(path.into(), bytes.into());
        self
    }
}

struct Bytes(Arc<[u8]>);

impl Source for Bytes {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.0.get(offset..)).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }
}

impl Storage for MemoryStorage {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        match self.0.get(path) {
            Some(bytes) => Ok(Box::new(Bytes(Arc::clone(bytes)))),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn names(&self, path: &Path) -> io::Result<Vec<String>> {
        let inside = self.0.keys().filter(|file| file.parent() == Some(path));
        Ok(inside.filter_map(|file| Some(file.file_name()?.to_str()?.to_owned())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::read_up_to;

    #[test]
    fn files_are_read_and_never_written() {
        let memory = MemoryStorage::new().with("a/b", *b"hello").with("a/c", *b"");
        let file = memory.open(Path::new("a/b")).unwrap();
        let mut buffer = [0; 4];
        assert_eq!((file.length().unwrap(), read_up_to(&*file, &mut buffer, 2).unwrap()), (5, 3));
        assert_eq!(&buffer[..3], b"llo");
        assert_eq!(file.read_at(&mut buffer, 6).unwrap() + file.read_at(&mut buffer, u64::MAX).unwrap(), 0);
        assert_eq!(memory.names(Path::new("a")).unwrap(), ["b", "c"]);
        assert_eq!(memory.open(Path::new("a")).err().unwrap().kind(), io::ErrorKind::NotFound);
        assert!(memory.create(Path::new("x")).is_err());
    }
}
