//! Helpers of tests, only with the feature `testing`. The disk, until it fails on purpose: every call of
//! [`Storage`] is counted, and the n-th fails. Loops over all n show that no call is made whose failure
//! nobody thought of.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::{DiskStorage, Sink, Source, Storage};

/// A way to fail. Calls count from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Nothing fails; calls are counted.
    Never,
    /// One call fails; of a write half has reached the disk.
    Once(u64),
    /// This call and all later ones fail, tidying up too: the device is gone, or the process dead.
    Forever(u64),
    /// From this call on nothing more can be written, and everything else can be done.
    Full(u64),
    /// No read and no write does more than this number of bytes at a time, and every other one is
    /// interrupted first.
    Short(usize),
}

/// The disk with a fault.
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
    /// Takes room.
    Writes,
    /// Changes names, or syncs.
    Changes,
}

impl FaultyStorage {
    /// The disk with this fault.
    pub fn new(fault: Fault) -> FaultyStorage {
        FaultyStorage(Arc::new(State { fault, calls: AtomicU64::new(0), fired: Mutex::new(None) }))
    }

    /// Calls so far.
    pub fn calls(&self) -> u64 {
        self.0.calls.load(Ordering::SeqCst)
    }

    /// The first call that failed on purpose, in words.
    pub fn fired(&self) -> Option<String> {
        self.0.fired.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts a call, and fails if it is its turn.
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
        let mut fired = self.0.fired.lock().unwrap_or_else(PoisonError::into_inner);
        fired.get_or_insert_with(|| format!("call {number}: {what} {}", path.display()));
        Err(if full { io::ErrorKind::StorageFull.into() } else { io::Error::other("a fault on purpose") })
    }

    /// How much of so many bytes is read or written at once.
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

/// The bytes of the file of what occurs of the only game in a folder of tables.
///
/// # Panics
/// If there is no such file.
pub fn occurring_file(tables: &Path) -> Vec<u8> {
    let game = std::fs::read_dir(tables).unwrap().next().unwrap().unwrap().path();
    std::fs::read(game.join("occurring.rgo")).unwrap()
}
