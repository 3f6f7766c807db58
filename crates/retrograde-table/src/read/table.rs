//! A complete table, open for reading. Any number of threads can share it.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use retrograde_game::{Index, Stored};
use retrograde_solve::on_threads;

use super::block::Block;
use super::values::ValuesReader;
use crate::cache::Cache;
use crate::directory::files::{LOCK, MANIFEST, VALUES, WORK};
use crate::directory::lock::is_locked;
use crate::directory::names::directory_name;
use crate::error::{TableError, VersionKind};
use crate::format::counts::{Counts, Histogram};
use crate::format::manifest::Manifest;
use crate::storage::{DiskStorage, Storage, UNFINISHED};

/// The properties that this program expects of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expectations {
    /// The game's `RULES_VERSION`.
    pub rules_version: u32,
    /// The numbering's `INDEX_VERSION`.
    pub index_version: u32,
    /// The number of indices.
    pub index_count: u128,
}

impl Expectations {
    /// Compares the game and the properties that a file claims with what is expected.
    ///
    /// # Errors
    /// The first difference, with the name of the file.
    pub fn check(self, file: &Path, game: &str, found: (&str, Expectations)) -> Result<(), TableError> {
        let (found_game, found) = found;
        if found_game != game {
            return Err(TableError::WrongGame {
                file: file.to_owned(),
                found: found_game.to_owned(),
                expected: game.to_owned(),
            });
        }
        for (what, found, expected) in [
            (VersionKind::Rules, found.rules_version.into(), self.rules_version.into()),
            (VersionKind::Numbering, found.index_version.into(), self.index_version.into()),
            (VersionKind::IndexCount, found.index_count, self.index_count),
        ] {
            if found != expected {
                return Err(TableError::WrongVersion { file: file.to_owned(), what, found, expected });
            }
        }
        Ok(())
    }
}

/// Options of reading a table.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// A table of at most this size before compression keeps every probed block in memory.
    pub hold_bytes: u64,
    /// A larger table keeps at most this number of bytes of blocks.
    pub cache_bytes: u64,
    /// The file system.
    pub storage: Arc<dyn Storage>,
}

impl Default for ReadOptions {
    /// 64 MiB for both sizes, and the disk.
    fn default() -> ReadOptions {
        ReadOptions { hold_bytes: 64 << 20, cache_bytes: 64 << 20, storage: Arc::new(DiskStorage) }
    }
}

/// A complete table.
pub struct Table {
    directory: PathBuf,
    manifest: Manifest,
    pub(crate) values: ValuesReader,
    cache: Cache,
    cells_per_block: u64,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("directory", &self.directory).finish_non_exhaustive()
    }
}

/// The memory for a block's entry in the directory and its place in the cache, in bytes.
const ENTRY_MEMORY: u64 = 48;

impl Table {
    /// Opens the table of a game.
    ///
    /// # Errors
    /// [`TableError::NotFound`]; [`TableError::Incomplete`] or [`TableError::Locked`] if the table
    /// is unfinished; another version, a damaged file, or an error of the system. Blocks of values
    /// are only checked when they are read.
    pub fn open(tables_dir: &Path, game: &str, expected: Expectations) -> Result<Table, TableError> {
        Table::open_with(tables_dir, game, expected, &ReadOptions::default())
    }

    /// [`Table::open`] with options.
    ///
    /// # Errors
    /// The same as [`Table::open`].
    pub fn open_with(
        tables_dir: &Path,
        game: &str,
        expected: Expectations,
        options: &ReadOptions,
    ) -> Result<Table, TableError> {
        let directory = tables_dir.join(directory_name(game));
        let storage = &*options.storage;
        let mut manifest = read_manifest(storage, &directory, game)?;
        check_manifest(&manifest, &directory, game, expected)?;
        let values = match ValuesReader::open(storage, &directory, &manifest) {
            Ok(values) => values,
            Err(error) => {
                // A new table may have replaced the old one between reading the two files.
                let newer = read_manifest(storage, &directory, game)?;
                if newer == manifest {
                    return Err(error);
                }
                check_manifest(&newer, &directory, game, expected)?;
                manifest = newer;
                ValuesReader::open(storage, &directory, &manifest)?
            }
        };
        let cache = if manifest.raw_bytes() <= options.hold_bytes {
            Cache::unbounded(manifest.block_count())
        } else {
            Cache::bounded(options.cache_bytes / u64::from(manifest.block_bytes))
        };
        let cells_per_block = manifest.cell.per_block(manifest.block_bytes);
        Ok(Table { directory, manifest, values, cache, cells_per_block })
    }

    /// Limits the blocks in memory to `bytes` bytes. Drops the blocks kept so far.
    pub fn limit_cache(&mut self, bytes: u64) {
        if self.cache_memory() > bytes {
            self.cache = Cache::bounded(bytes / u64::from(self.manifest.block_bytes).max(1));
        }
    }

    /// The most memory that cached blocks can take, in bytes.
    fn cache_memory(&self) -> u64 {
        self.cache.places() * u64::from(self.manifest.block_bytes)
    }

    /// The most memory that the table can take, in bytes.
    pub fn memory(&self) -> u64 {
        self.cache_memory().min(self.manifest.raw_bytes()) + self.manifest.block_count() * ENTRY_MEMORY
    }

    /// The manifest of the table.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The directory of the table.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The knowledge at an index. Reads and checks its block unless it is in memory.
    ///
    /// # Errors
    /// [`TableError::OutOfRange`]; a damaged block; an error of the system.
    pub fn get(&self, index: Index) -> Result<Stored, TableError> {
        let (number, at) = self.place(index)?;
        let cell = self.manifest.cell;
        if let Some(stored) = self.cache.with(number, |block| cell.stored(block, at)) {
            return Ok(stored);
        }
        let block = self.read(number)?;
        let stored = cell.stored(&block, at);
        self.cache.insert(number, block);
        Ok(stored)
    }

    /// Whether [`Table::prepare`] has an effect, as for remote files.
    pub fn needs_prepare(&self) -> bool {
        self.values.source.needs_prepare()
    }

    /// Announces that these indices will be read next, so that a remote storage can fetch their
    /// blocks together.
    ///
    /// # Errors
    /// A damaged page of descriptions; an error of the system.
    pub fn prepare(&self, indices: &[Index]) -> Result<(), TableError> {
        let within = indices.iter().filter(|index| index.0 < self.manifest.index_count);
        let numbers = within.map(|index| self.place(*index).map(|(number, _)| number));
        let mut numbers = numbers.collect::<Result<Vec<u64>, TableError>>()?;
        numbers.sort_unstable();
        numbers.dedup();
        numbers.retain(|&number| self.cache.with(number, |_| ()).is_none());
        self.values.prepare(&numbers)
    }

    /// The number of blocks.
    pub fn block_count(&self) -> u64 {
        self.manifest.block_count()
    }

    /// Reads a block without caching it.
    ///
    /// # Errors
    /// [`TableError::OutOfRange`] with the first index that the block would have, if there is no
    /// such block; otherwise the same as [`Table::get`].
    pub fn block(&self, number: u64) -> Result<Block, TableError> {
        let first = Index(number.saturating_mul(self.cells_per_block));
        let (number, _) = self.place(first)?;
        let cells = self.cells_per_block.min(self.manifest.index_count - first.0);
        Ok(Block { first, cells: cells as usize, cell: self.manifest.cell, bytes: self.read(number)? })
    }

    /// Visits all blocks on `threads` threads, each with its own state from `start`, and returns
    /// the states. A thread visits runs of blocks in ascending order. If `visit` breaks, the scan
    /// soon ends on all threads without an error.
    ///
    /// # Errors
    /// The first error while reading a block.
    pub fn scan<S: Send>(
        &self,
        threads: usize,
        start: impl Fn() -> S + Sync,
        visit: impl Fn(&mut S, &Block) -> ControlFlow<()> + Sync,
    ) -> Result<Vec<S>, TableError> {
        /// The number of blocks that a thread takes at a time.
        const RUN: u64 = 64;
        let next = AtomicU64::new(0);
        let over = AtomicBool::new(false);
        let (states, error) = (Mutex::new(Vec::new()), Mutex::new(None));
        let work = || {
            let mut state = start();
            'runs: while !over.load(Ordering::Relaxed) {
                let first = next.fetch_add(RUN, Ordering::Relaxed);
                if first >= self.block_count() {
                    break;
                }
                for number in first..(first + RUN).min(self.block_count()) {
                    let stop = match self.block(number) {
                        Ok(block) => visit(&mut state, &block).is_break(),
                        Err(found) => {
                            error.lock().get_or_insert(found);
                            true
                        }
                    };
                    if stop {
                        over.store(true, Ordering::Relaxed);
                        break 'runs;
                    }
                }
            }
            states.lock().push(state);
        };
        let threads = threads.max(1).min(self.block_count().div_ceil(RUN).max(1) as usize);
        on_threads(threads, work);
        match error.into_inner() {
            Some(error) => Err(error),
            None => Ok(states.into_inner()),
        }
    }

    /// Counts the stored positions again on `threads` threads, without the prelude. (The manifest also counts
    /// finished positions that are not numbered.)
    ///
    /// # Errors
    /// The same as [`Table::scan`].
    pub fn count(&self, threads: usize) -> Result<Counts, TableError> {
        let end = self.manifest.index_count - self.manifest.prelude;
        let histograms = self.scan(
            threads,
            || Histogram::new(self.manifest.cell),
            |histogram, block| {
                let cells = end.saturating_sub(block.first.0).min(block.cells as u64);
                histogram.add(&block.bytes, cells as usize);
                ControlFlow::Continue(())
            },
        )?;
        let mut counts = Counts::default();
        histograms.iter().for_each(|histogram| counts.merge(&histogram.counts()));
        Ok(counts)
    }

    /// The block of an index, and the cell within it.
    #[inline]
    fn place(&self, index: Index) -> Result<(u64, usize), TableError> {
        if index.0 >= self.manifest.index_count {
            return Err(TableError::OutOfRange { index, count: self.manifest.index_count });
        }
        // The count is a power of two, which the compiler does not know.
        let shift = self.cells_per_block.trailing_zeros();
        Ok((index.0 >> shift, (index.0 & (self.cells_per_block - 1)) as usize))
    }

    fn read(&self, number: u64) -> Result<Box<[u8]>, TableError> {
        let mut block = vec![0; self.values.block_length(number)].into_boxed_slice();
        self.values.read_block(number, &mut block)?;
        Ok(block)
    }
}

/// Reads the manifest of a complete table. The error describes what there is instead.
fn read_manifest(storage: &dyn Storage, directory: &Path, game: &str) -> Result<Manifest, TableError> {
    match Manifest::read(storage, directory)? {
        Some(manifest) => Ok(manifest),
        None => Err(absence(storage, directory, game)),
    }
}

/// The error for a directory without a manifest.
pub(crate) fn absence(storage: &dyn Storage, directory: &Path, game: &str) -> TableError {
    if is_locked(directory) {
        return TableError::Locked { path: directory.to_owned() };
    }
    match storage.names(directory) {
        Ok(names) if names.iter().any(|name| is_unfinished(name)) => {
            TableError::Incomplete { path: directory.to_owned() }
        }
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            TableError::io("read", directory, error)
        }
        _ => TableError::NotFound { game: game.to_owned(), path: directory.to_owned() },
    }
}

/// Whether a file belongs to an unfinished table or an interrupted solve.
fn is_unfinished(name: &str) -> bool {
    let name = name.strip_suffix(UNFINISHED).unwrap_or(name);
    name != LOCK && (name == MANIFEST || name == WORK || VALUES.contains(&name))
}

fn check_manifest(
    manifest: &Manifest,
    directory: &Path,
    game: &str,
    expected: Expectations,
) -> Result<(), TableError> {
    let found = Expectations {
        rules_version: manifest.rules_version,
        index_version: manifest.index_version,
        index_count: manifest.index_count.into(),
    };
    expected.check(&directory.join(MANIFEST), game, (&manifest.game, found))
}
