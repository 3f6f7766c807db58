//! Helpers: a file system in memory whose files can be altered, one that fails on purpose, and small tables.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use retrograde_game::{Index, Random, Score, Stored, Turns, Value};
use retrograde_table::{
    CellWidth, Counts, DiskStorage, Expectations, GameLock, Manifest, ReadOptions, Sink, Source, Storage,
    Table, TableError, TableKind, TableWriter, WriteOptions,
};

pub const GAME: &str = "tactics:3x3,line=2";

pub fn expected(count: u64) -> Expectations {
    Expectations { rules_version: 3, index_version: 5, index_count: count.into() }
}

pub fn manifest(kind: TableKind, cell: CellWidth, count: u64) -> Manifest {
    Manifest { block_bytes: 512, ..Manifest::new(GAME, 3, 5, kind, cell, count) }
}

/// Scores that resemble a game's: mostly wins, a few losses and draws, some indices without a position.
pub fn scores<S: Score>(count: usize, seed: u64) -> Vec<S> {
    let mut random = Random::new(seed);
    let value = |value| S::from_value(value).unwrap();
    (0..count)
        .map(|at| match random.below(20) {
            0 => S::NONE,
            1 => S::UNKNOWN,
            2 => S::DRAW,
            3..6 => value(Value::Loss(Turns(2 * random.below(60) as u16))),
            _ if at % 4096 < 1024 => value(Value::Win(Turns(1))),
            _ => value(Value::Win(Turns(2 * random.below(5) as u16 + 1))),
        })
        .collect()
}

pub fn write(
    tables: &Path,
    manifest: Manifest,
    scores: &[u8],
    options: WriteOptions,
) -> Result<Manifest, TableError> {
    let lock = GameLock::acquire(tables, &manifest.game)?;
    let mut writer = TableWriter::create_with(&lock, manifest, options)?;
    writer.write_scores(scores)?;
    writer.set_counts(Counts::of_scores(scores));
    writer.finish()
}

pub fn read_all(table: &Table) -> Result<Vec<Stored>, TableError> {
    (0..table.manifest().index_count).map(|index| table.get(Index(index))).collect()
}

/// All files of a directory, by path.
pub fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = std::fs::read_dir(directory).unwrap();
    entries
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        .collect()
}

/// Read-only files in memory.
#[derive(Debug)]
pub struct Memory {
    pub files: BTreeMap<PathBuf, Arc<Vec<u8>>>,
    /// The most bytes that a read returns. If this is limited, every other read is interrupted first.
    pub most: usize,
}

impl Memory {
    pub fn new(files: &BTreeMap<PathBuf, Vec<u8>>) -> Memory {
        let files = files.iter().map(|(path, bytes)| (path.clone(), Arc::new(bytes.clone()))).collect();
        Memory { files, most: usize::MAX }
    }

    /// The same files, but one of them with other bytes.
    pub fn with(&self, path: &Path, bytes: Vec<u8>) -> Memory {
        let mut files = self.files.clone();
        files.insert(path.to_owned(), Arc::new(bytes));
        Memory { files, most: self.most }
    }

    pub fn open_table(self, tables: &Path, count: u64) -> Result<Table, TableError> {
        let options = ReadOptions { storage: Arc::new(self), ..ReadOptions::default() };
        Table::open_with(tables, GAME, expected(count), &options)
    }
}

struct MemoryFile {
    bytes: Arc<Vec<u8>>,
    most: usize,
    reads: AtomicU64,
}

impl Source for MemoryFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        if self.most < usize::MAX && self.reads.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let rest = &self.bytes[self.bytes.len().min(offset as usize)..];
        let count = rest.len().min(buffer.len()).min(self.most);
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }
}

impl Storage for Memory {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        let bytes = self.files.get(path).ok_or(io::ErrorKind::NotFound)?.clone();
        Ok(Box::new(MemoryFile { bytes, most: self.most, reads: AtomicU64::new(0) }))
    }
    fn create(&self, _path: &Path) -> io::Result<Box<dyn Sink>> {
        Err(io::ErrorKind::Unsupported.into())
    }
    fn append(&self, _path: &Path) -> io::Result<Box<dyn Sink>> {
        Err(io::ErrorKind::Unsupported.into())
    }
    fn create_directory(&self, _path: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
    fn remove_directory(&self, _path: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
    fn rename(&self, _from: &Path, _to: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
    fn remove(&self, _path: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
    fn sync_directory(&self, _path: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
    fn names(&self, path: &Path) -> io::Result<Vec<String>> {
        let here = self.files.keys().filter(|file| file.parent() == Some(path));
        Ok(here.filter_map(|file| file.file_name()?.to_str().map(str::to_owned)).collect())
    }
}

/// A disk that fails on purpose.
#[derive(Clone, Debug, Default)]
pub struct Faulty(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// The number of operations so far that changed something.
    steps: AtomicU64,
    /// The step at which the process dies. From then on nothing works, not even cleanup.
    death: Mutex<Option<u64>>,
    dead: AtomicBool,
    /// The number of bytes that still fit on the disk.
    room: Mutex<Option<u64>>,
}

impl Faulty {
    pub fn dying_at(step: u64) -> Faulty {
        let faulty = Faulty::default();
        *faulty.0.death.lock().unwrap() = Some(step);
        faulty
    }

    pub fn with_room(bytes: u64) -> Faulty {
        let faulty = Faulty::default();
        *faulty.0.room.lock().unwrap() = Some(bytes);
        faulty
    }

    pub fn died(&self) -> bool {
        self.0.dead.load(Ordering::Relaxed)
    }

    /// Counts a step. Fails if the process dies at it or has died before.
    fn step(&self) -> io::Result<()> {
        let step = self.0.steps.fetch_add(1, Ordering::Relaxed);
        if self.0.death.lock().unwrap().is_some_and(|death| step >= death) {
            self.0.dead.store(true, Ordering::Relaxed);
            return Err(io::Error::other("killed"));
        }
        Ok(())
    }
}

struct FaultySink {
    faulty: Faulty,
    file: Box<dyn Sink>,
}

impl Sink for FaultySink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(death) = self.faulty.step() {
            // Half of the bytes reach the disk.
            let half = &bytes[..bytes.len() / 2];
            if !half.is_empty() {
                let _ = self.file.write(half);
            }
            return Err(death);
        }
        let mut count = bytes.len().min(1000);
        if let Some(room) = self.faulty.0.room.lock().unwrap().as_mut() {
            count = count.min(*room as usize);
            if count == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            *room -= count as u64;
        }
        self.file.write(&bytes[..count])
    }

    fn sync(&mut self) -> io::Result<()> {
        self.faulty.step()?;
        self.file.sync()
    }
}

impl Storage for Faulty {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        DiskStorage.open(path)
    }
    fn create(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        self.step()?;
        Ok(Box::new(FaultySink { faulty: self.clone(), file: DiskStorage.create(path)? }))
    }
    fn append(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        self.step()?;
        Ok(Box::new(FaultySink { faulty: self.clone(), file: DiskStorage.append(path)? }))
    }
    fn create_directory(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        DiskStorage.create_directory(path)
    }
    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        DiskStorage.remove_directory(path)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        DiskStorage.rename(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        DiskStorage.remove(path)
    }
    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        DiskStorage.sync_directory(path)
    }
    fn names(&self, path: &Path) -> io::Result<Vec<String>> {
        DiskStorage.names(path)
    }
}
