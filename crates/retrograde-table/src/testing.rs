//! Helpers for tests, enabled by the feature `testing`: a disk that fails on purpose. It counts
//! every call of [`Storage`] and lets the n-th fail. Tests that loop over all n show that every
//! failure is handled.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::{DiskStorage, Sink, Source, Storage};

/// A way to fail. Calls are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Nothing fails. Calls are counted.
    Never,
    /// One call fails. If it is a write, half of the bytes reach the disk.
    Once(u64),
    /// This call and all later ones fail, even cleanup: the device is gone, or the process is dead.
    Forever(u64),
    /// From this call on, writes fail and everything else works.
    Full(u64),
    /// Every read and write transfers at most this number of bytes, and every other one is interrupted first.
    Short(usize),
}

/// A disk with a fault.
#[derive(Clone, Debug)]
pub struct FaultyStorage(Arc<State>);

#[derive(Debug)]
struct State {
    fault: Fault,
    calls: AtomicU64,
    /// The first call that failed.
    fired: Mutex<Option<String>>,
}

/// The effect of a call on the disk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Reads,
    /// Needs space.
    Writes,
    /// Changes names, or syncs.
    Changes,
}

impl FaultyStorage {
    /// Creates a disk with a fault.
    pub fn new(fault: Fault) -> FaultyStorage {
        FaultyStorage(Arc::new(State { fault, calls: AtomicU64::new(0), fired: Mutex::new(None) }))
    }

    /// The number of calls so far.
    pub fn calls(&self) -> u64 {
        self.0.calls.load(Ordering::SeqCst)
    }

    /// A description of the first call that failed on purpose.
    pub fn fired(&self) -> Option<String> {
        self.0.fired.lock().clone()
    }

    /// Counts a call and fails if this call should.
    fn call(&self, what: &str, path: &Path, effect: Effect) -> io::Result<()> {
        let number = self.0.calls.fetch_add(1, Ordering::SeqCst);
        let (fails, full) = match self.0.fault {
            Fault::Once(at) => (number == at, false),
            Fault::Forever(from) => (number >= from, false),
            Fault::Full(from) => (number >= from && effect == Effect::Writes, true),
            Fault::Never | Fault::Short(_) => (false, false),
        };
        if !fails {
            return Ok(());
        }
        let mut fired = self.0.fired.lock();
        fired.get_or_insert_with(|| format!("call {number}: {what} {}", path.display()));
        Err(if full { io::ErrorKind::StorageFull.into() } else { io::Error::other("injected fault") })
    }

    /// The number of bytes, of `length`, to read or write at once.
    fn portion(&self, length: usize) -> io::Result<usize> {
        match self.0.fault {
            Fault::Short(most) => {
                if self.0.calls.load(Ordering::SeqCst).is_multiple_of(2) {
                    return Err(io::ErrorKind::Interrupted.into());
                }
                Ok(length.min(most))
            }
            _ => Ok(length),
        }
    }
}

struct FaultyFile<T> {
    storage: FaultyStorage,
    path: PathBuf,
    file: T,
}

impl Source for FaultyFile<Box<dyn Source>> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.storage.call("read", &self.path, Effect::Reads)?;
        let portion = self.storage.portion(buffer.len())?;
        self.file.read_at(&mut buffer[..portion], offset)
    }

    fn length(&self) -> io::Result<u64> {
        self.storage.call("length", &self.path, Effect::Reads)?;
        self.file.length()
    }
}

impl Sink for FaultyFile<Box<dyn Sink>> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(fault) = self.storage.call("write", &self.path, Effect::Writes) {
            let half = &bytes[..bytes.len() / 2];
            if !half.is_empty() {
                let _ = self.file.write(half);
            }
            return Err(fault);
        }
        let portion = self.storage.portion(bytes.len())?;
        self.file.write(&bytes[..portion])
    }

    fn sync(&mut self) -> io::Result<()> {
        self.storage.call("sync", &self.path, Effect::Changes)?;
        self.file.sync()
    }
}

impl Storage for FaultyStorage {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        self.call("open", path, Effect::Reads)?;
        let file = DiskStorage.open(path)?;
        Ok(Box::new(FaultyFile { storage: self.clone(), path: path.to_owned(), file }))
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        self.call("create", path, Effect::Writes)?;
        let file = DiskStorage.create(path)?;
        Ok(Box::new(FaultyFile { storage: self.clone(), path: path.to_owned(), file }))
    }

    fn append(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        self.call("append", path, Effect::Writes)?;
        let file = DiskStorage.append(path)?;
        Ok(Box::new(FaultyFile { storage: self.clone(), path: path.to_owned(), file }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call("rename", to, Effect::Changes)?;
        DiskStorage.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call("remove", path, Effect::Changes)?;
        DiskStorage.remove(path)
    }

    fn create_directory(&self, path: &Path) -> io::Result<()> {
        self.call("create directory", path, Effect::Writes)?;
        DiskStorage.create_directory(path)
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        self.call("remove directory", path, Effect::Changes)?;
        DiskStorage.remove_directory(path)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.call("sync directory", path, Effect::Changes)?;
        DiskStorage.sync_directory(path)
    }

    fn names(&self, path: &Path) -> io::Result<Vec<String>> {
        self.call("names", path, Effect::Reads)?;
        DiskStorage.names(path)
    }
}

/// The bytes of the file of reachable positions of the only game in a folder of tables.
///
/// # Panics
/// If there is no such file.
pub fn reachable_file(tables: &Path) -> Vec<u8> {
    let game = std::fs::read_dir(tables).unwrap().next().unwrap().unwrap().path();
    std::fs::read(game.join("reachable.rgo")).unwrap()
}
