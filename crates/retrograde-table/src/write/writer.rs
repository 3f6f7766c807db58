//! Writes tables. Values arrive in any number of pieces, and full blocks go to a temporary file.
//! The table exists once everything is on the disk and the manifest is written. A writer that dies
//! at any moment leaves files that are not mistaken for a table, and does not change an older
//! table; the next writer cleans up.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_game::Index;
use retrograde_solve::{Silent, in_order};

use crate::directory::files::{MANIFEST, VALUES};
use crate::directory::leftovers::{remove_file, remove_unfinished};
use crate::directory::lock::GameLock;
use crate::error::TableError;
use crate::format::cells::{Unfit, Values};
use crate::format::codec::pack;
use crate::format::counts::Counts;
use crate::format::manifest::{FORMAT_VERSION, Manifest, StartValue, ValuesFile};
use crate::format::values_file::{self, Described, FOOTER_BYTES, Footer, HEADER_BYTES, PAGE_BLOCKS};
use crate::storage::{DiskStorage, Sink, Storage, UNFINISHED, replace_file, write_all};

/// The number of blocks that a thread compresses at a time, about 1 MiB of cells.
const CHUNK_BLOCKS: u64 = 64;

/// Options for writing a table.
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// The number of compressing threads.
    pub threads: usize,
    /// The file system.
    pub storage: Arc<dyn Storage>,
}

impl Default for WriteOptions {
    /// One thread per core, and the disk.
    fn default() -> WriteOptions {
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
        WriteOptions { threads, storage: Arc::new(DiskStorage) }
    }
}

/// A table that is being written.
pub struct TableWriter {
    // Must be dropped before the lock, because that removes the unfinished file.
    output: Output,
    manifest: Manifest,
    lock: GameLock,
    options: WriteOptions,
    header: [u8; HEADER_BYTES as usize],
    /// The cells of the block that is not yet full.
    pending: Vec<u8>,
    pending_cells: u64,
    /// The number of values received so far.
    taken: u64,
    blocks: Vec<Described>,
    /// The file of values of the table that this one will replace.
    old: Option<ValuesFile>,
}

/// The unfinished file of values. Dropping it removes the file, unless it has been renamed.
struct Output {
    storage: Arc<dyn Storage>,
    path: PathBuf,
    sink: Box<dyn Sink>,
    hash: blake3::Hasher,
    bytes: u64,
}

impl Output {
    fn write(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        write_all(&mut *self.sink, bytes).map_err(|error| TableError::io("write", &self.path, error))?;
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        let _ = self.storage.remove(&self.path);
    }
}

impl TableWriter {
    /// Begins the table that a manifest describes ([`Manifest::new`]) in its own directory in
    /// `tables_dir`, using all cores. Removes files of a dead writer. An existing table stays until
    /// [`TableWriter::finish`].
    ///
    /// # Errors
    /// [`TableError::Locked`] if this table is being written; [`TableError::Misused`] if the
    /// manifest is invalid; an error of the system.
    pub fn create(tables_dir: &Path, manifest: Manifest) -> Result<TableWriter, TableError> {
        let lock = GameLock::acquire(tables_dir, &manifest.game)?;
        TableWriter::create_with(&lock, manifest, WriteOptions::default())
    }

    /// [`TableWriter::create`] with options, for callers that already hold the lock of the game.
    ///
    /// # Errors
    /// The same as [`TableWriter::create`], except `Locked`.
    pub fn create_with(
        lock: &GameLock,
        manifest: Manifest,
        options: WriteOptions,
    ) -> Result<TableWriter, TableError> {
        let misused = |reason: String| TableError::Misused { game: manifest.game.clone(), reason };
        if lock.game() != manifest.game {
            return Err(misused(format!("the lock belongs to {}", lock.game())));
        }
        if let Some(fault) = manifest.fault() {
            return Err(misused(fault));
        }
        let storage = &*options.storage;
        let directory = lock.directory();
        let old = Manifest::read(storage, directory);
        remove_leftovers(storage, directory, &old)?;
        let old_values = old.ok().flatten().map(|old| old.values);
        let taken = old_values.as_ref().is_some_and(|old| old.file == VALUES[0]);
        let name = VALUES[usize::from(taken)];
        let path = directory.join(format!("{name}{UNFINISHED}"));
        let sink = storage.create(&path).map_err(|error| TableError::io("create", &path, error))?;

        let mut manifest = manifest;
        manifest.format = FORMAT_VERSION;
        manifest.complete = true;
        manifest.values.file = name.to_owned();
        let header = values_file::header(&manifest);
        let mut output = Output {
            storage: Arc::clone(&options.storage),
            path,
            sink,
            hash: blake3::Hasher::new(),
            bytes: 0,
        };
        output.write(&header)?;
        Ok(TableWriter {
            pending: vec![0; manifest.block_bytes as usize],
            old: old_values,
            lock: lock.clone(),
            manifest,
            options,
            header,
            output,
            pending_cells: 0,
            taken: 0,
            blocks: Vec::new(),
        })
    }

    /// Appends scores in the order of indices. A table of one byte per position takes scores of one
    /// byte. A table of losses only records that other scores are not losses. A table of outcomes
    /// takes scores too.
    ///
    /// # Errors
    /// [`TableError::Unstorable`] for a score that the table cannot hold; [`TableError::Misused`]
    /// for too many scores or scores of another size; an error of the system.
    pub fn write_scores(&mut self, scores: &[u8]) -> Result<(), TableError> {
        self.append(Values::Narrow(scores))
    }

    /// [`TableWriter::write_scores`] for scores of two bytes.
    ///
    /// # Errors
    /// The same as [`TableWriter::write_scores`].
    pub fn write_wide(&mut self, scores: &[u16]) -> Result<(), TableError> {
        self.append(Values::Wide(scores))
    }

    /// Appends bits, beginning with the lowest of the first word: 1 for a position that the side to
    /// move wins, 0 for one that it loses. Every call but the last must add whole words. Unused
    /// bits of the last word are ignored.
    ///
    /// # Errors
    /// The same as [`TableWriter::write_scores`].
    pub fn write_bits(&mut self, words: &[u64]) -> Result<(), TableError> {
        if !self.taken.is_multiple_of(64) {
            return Err(self.misused("bits can only follow a multiple of 64 values"));
        }
        let left = self.manifest.index_count - self.taken;
        let cells = (words.len() as u64 * 64).min(left.next_multiple_of(64)).min(left);
        if words.len() as u64 > left.div_ceil(64) {
            return Err(self.misused("more values than indices"));
        }
        self.append(Values::Bits { words, cells: cells as usize })
    }

    /// Sets the statistics, which are often known only at the end.
    pub fn set_counts(&mut self, counts: Counts) {
        self.manifest.counts = counts;
    }

    /// Sets the value of the start.
    pub fn set_start(&mut self, start: StartValue) {
        self.manifest.start = Some(start);
    }

    fn misused(&self, reason: &str) -> TableError {
        TableError::Misused { game: self.manifest.game.clone(), reason: reason.to_owned() }
    }

    fn append(&mut self, values: Values<'_>) -> Result<(), TableError> {
        let cell = self.manifest.cell;
        if !values.suit(cell) {
            let reason = format!("the values do not fit into cells of {} bits", cell.bits());
            return Err(self.misused(&reason));
        }
        if values.len() as u64 > self.manifest.index_count - self.taken {
            return Err(self.misused("more values than indices"));
        }
        let per_block = cell.per_block(self.manifest.block_bytes);
        let mut from = 0;
        if self.pending_cells > 0 {
            from = (per_block - self.pending_cells).min(values.len() as u64) as usize;
            self.append_pending(values, 0, from)?;
        }
        let blocks = (values.len() - from) as u64 / per_block;
        if blocks > 0 {
            self.append_blocks(values, from, blocks)?;
            from += (blocks * per_block) as usize;
        }
        self.append_pending(values, from, values.len() - from)
    }

    /// Appends values to the block that is not yet full. They must fit.
    fn append_pending(&mut self, values: Values<'_>, from: usize, count: usize) -> Result<(), TableError> {
        if count == 0 {
            return Ok(());
        }
        let how = (self.manifest.kind, self.manifest.cell);
        values
            .encode(how, from, count, &mut self.pending, self.pending_cells as usize)
            .map_err(|Unfit { at, reason }| unstorable(self.taken + (at - from) as u64, reason))?;
        self.pending_cells += count as u64;
        self.taken += count as u64;
        let full = self.pending_cells == self.manifest.cell.per_block(self.manifest.block_bytes);
        if full || self.taken == self.manifest.index_count {
            let length = self.manifest.cell.bytes(self.pending_cells) as usize;
            let mut stored = Vec::new();
            let (sum, number) = (values_file::header_checksum(&self.header), self.blocks.len() as u64);
            let block = pack(sum, number, &self.pending[..length], &mut stored);
            self.blocks
                .push(block.map_err(|error| TableError::io("compress", self.lock.directory(), error))?);
            self.pending_cells = 0;
            self.pending.fill(0);
            self.output.write(&stored)?;
        }
        Ok(())
    }

    /// Appends whole blocks of values, compressed in parallel. The bytes do not depend on the number of threads.
    fn append_blocks(&mut self, values: Values<'_>, from: usize, blocks: u64) -> Result<(), TableError> {
        let Manifest { kind, cell, block_bytes, .. } = self.manifest;
        let per_block = cell.per_block(block_bytes);
        let (first_block, taken) = (self.blocks.len() as u64, self.taken);
        let (sum, directory) = (values_file::header_checksum(&self.header), self.lock.directory());
        let pack_chunk = |chunk: usize| {
            let (mut stored, mut described, mut buffer) =
                (Vec::new(), Vec::new(), vec![0; block_bytes as usize]);
            let first = chunk as u64 * CHUNK_BLOCKS;
            for block in first..blocks.min(first + CHUNK_BLOCKS) {
                buffer.fill(0);
                let start = from + (block * per_block) as usize;
                values
                    .encode((kind, cell), start, per_block as usize, &mut buffer, 0)
                    .map_err(|Unfit { at, reason }| unstorable(taken + (at - from) as u64, reason))?;
                let packed = pack(sum, first_block + block, &buffer, &mut stored);
                described.push(packed.map_err(|error| TableError::io("compress", directory, error))?);
            }
            Ok((stored, described))
        };
        let (out, all) = (&mut self.output, &mut self.blocks);
        let mut write = |(stored, described): (Vec<u8>, Vec<Described>)| {
            all.extend(described);
            out.write(&stored)
        };
        let chunks = blocks.div_ceil(CHUNK_BLOCKS) as usize;
        in_order(chunks, self.options.threads, &Silent, &pack_chunk, &mut write)?;
        self.taken += blocks * per_block;
        Ok(())
    }

    /// Completes the table: syncs everything to the disk and writes the manifest last. Returns the manifest.
    ///
    /// # Errors
    /// [`TableError::Misused`] if values are missing; an error of the system. Then there is no new
    /// table, and an older one is unchanged.
    pub fn finish(mut self) -> Result<Manifest, TableError> {
        let missing = self.manifest.index_count - self.taken;
        if missing > 0 {
            return Err(self.misused(&format!("{missing} values are missing")));
        }
        if let Some(fault) = self.manifest.counts.fault() {
            return Err(self.misused(&fault));
        }
        let footer = self.write_end()?;
        let storage = &*self.options.storage;
        let directory = self.lock.directory();
        let io = TableError::io;
        let output = &mut self.output;
        output.sink.sync().map_err(|error| io("write", &output.path, error))?;
        self.manifest.values.bytes = output.bytes;
        self.manifest.values.blake3 = output.hash.finalize().to_hex().to_string();
        self.manifest.values.seal = Footer::seal(&footer);
        // If the bytes are the same, the name stays the same: replacing the file changes nothing or
        // repairs it, and the old manifest fits until the new one is written.
        let same =
            |old: &&ValuesFile| ValuesFile { file: String::new(), ..(*old).clone() } == self.anonymous();
        if let Some(old) = self.old.as_ref().filter(|old| old.file == VALUES[0]).filter(same) {
            self.manifest.values.file.clone_from(&old.file);
        }
        let text = self.manifest.to_text().map_err(|error| self.misused(&error.to_string()))?;

        let values = directory.join(&self.manifest.values.file);
        storage.rename(&self.output.path, &values).map_err(|error| io("write", &values, error))?;
        let made =
            storage.sync_directory(directory).map_err(|error| io("write", directory, error)).and_then(|()| {
                replace_file(storage, &directory.join(MANIFEST), |out| out.write_all(text.as_bytes()))
            });
        if let Err(error) = made {
            // Frees the space on a full disk, unless the manifest was written after all and needs its values.
            let manifest = Manifest::read(storage, directory);
            let needed = |manifest: Manifest| manifest.values.file == self.manifest.values.file;
            if manifest.is_ok_and(|manifest| !manifest.is_some_and(needed)) {
                let _ = storage.remove(&values);
            }
            return Err(error);
        }

        // The table is complete. Failures while cleaning up do not matter.
        for name in VALUES.iter().filter(|&&name| name != self.manifest.values.file) {
            let _ = storage.remove(&directory.join(name));
        }
        if let Some(tables) = directory.parent() {
            let _ = storage.sync_directory(tables);
        }
        Ok(self.manifest.clone())
    }

    /// Describes the new file of values, without its name.
    fn anonymous(&self) -> ValuesFile {
        ValuesFile { file: String::new(), ..self.manifest.values.clone() }
    }

    /// Writes pages and footer. Returns the footer.
    fn write_end(&mut self) -> Result<[u8; FOOTER_BYTES as usize], TableError> {
        let header_checksum = values_file::header_checksum(&self.header);
        let out = &mut self.output;
        let pages_at = out.bytes;
        let mut offset = HEADER_BYTES;
        let mut pages_checksum = 0;
        for (number, blocks) in (0..).zip(self.blocks.chunks(PAGE_BLOCKS as usize)) {
            let page = values_file::page(header_checksum, number, offset, blocks);
            pages_checksum = crc32c::crc32c_append(pages_checksum, &page);
            out.write(&page)?;
            offset += blocks.iter().map(|block| u64::from(block.length)).sum::<u64>();
        }
        let footer = Footer {
            pages_at,
            block_count: self.blocks.len() as u64,
            file_bytes: out.bytes + FOOTER_BYTES,
            pages_checksum,
        }
        .bytes(&self.header);
        out.write(&footer)?;
        Ok(footer)
    }
}

fn unstorable(index: u64, reason: &'static str) -> TableError {
    TableError::Unstorable { index: Index(index), reason }
}

/// Removes unfinished files, and files of values that do not belong to the complete table. If the
/// manifest cannot be read, files of values stay until a new table is finished. The caller must
/// hold the lock.
fn remove_leftovers(
    storage: &dyn Storage,
    directory: &Path,
    manifest: &Result<Option<Manifest>, TableError>,
) -> Result<(), TableError> {
    remove_unfinished(storage, directory, &[])?;
    for name in VALUES {
        let orphan = match manifest {
            Ok(None) => true,
            Ok(Some(manifest)) => manifest.values.file != name,
            Err(_) => false,
        };
        if orphan {
            remove_file(storage, &directory.join(name))?;
        }
    }
    Ok(())
}
