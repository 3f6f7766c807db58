//! The values of the positions that occur from the start, where the dense numbering is far larger
//! than their number: a file of sorted indices and scores.
//!
//! A table of all indices would be mostly empty and too large to write; a hash table on the disk
//! could not be packed. Sorted indices differ by little, so that their differences take two bytes
//! or less, and a probe reads one block that a small directory names. Head and foot are those of a
//! [`FrameFormat`] with the letter O; the description is JSON, see [`SparseManifest`]. All numbers
//! are little-endian.
//!
//! ```text
//! blocks        of 4096 positions (the last one: the rest), each a zstd frame of
//!               the differences of its indices to the one before (the first: 0), LEB128;
//!               the scores, 1 or 2 bytes each as the description says, with the codes of `Score`
//! directory     for each block: its first index (8), where it begins (8), its length (4), its CRC-32C (4)
//! ```
//!
//! The file is written under another name, synced and renamed: it is whole or not there.
//!
//! History: 1, the first.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use retrograde_game::{Index, Score, Stored, Turns};
use retrograde_solve::memory::refusable;
use retrograde_solve::reachable::{narrowed, widened};
use retrograde_solve::{Progress, Silent, in_order};
use retrograde_table::compression::Compressor;
use retrograde_table::{
    Count, Counts, Expectations, FilePart, FrameFormat, GameLock, Source, StartValue, Storage, TableError,
    VersionKind, compression, directory_name, put_varint, read_up_to, replace_file, take_varint,
};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::long_work::LONG_WORK;
use crate::store::codes::{CodeSource, Loaded};
use crate::store::value_store::{FileCheck, ValueStore, VisitValue};

/// The name of the file.
pub(crate) const FILE: &str = "occurring.rgo";
const FRAME: FrameFormat = FrameFormat { letter: b'O', version: 1 };
const ENTRY: usize = 24;
/// Positions in a block.
const PER_BLOCK: usize = 4096;
/// Positions that one thread packs at a time.
const PIECE: usize = 16 * PER_BLOCK;
/// Pieces for each thread that are in memory at a time.
const PIECES_A_THREAD: usize = 4;
/// The number of decoded blocks in memory, unless it is limited.
const CACHED_BLOCKS: usize = 1024;
/// Bytes of a decoded block: an index and a score for each position.
const BLOCK_MEMORY: usize = PER_BLOCK * (size_of::<u64>() + size_of::<u16>());

/// The description of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SparseManifest {
    pub game: String,
    pub rules_version: u32,
    pub index_version: u32,
    /// Indices of the dense numbering.
    pub index_count: Count,
    pub tool_version: String,
    /// Positions in the file.
    pub positions: u64,
    /// Bytes of a score.
    pub score_bytes: u8,
    pub counts: Counts,
    pub start: Option<StartValue>,
    pub seconds: f64,
    pub extra: serde_json::Map<String, serde_json::Value>,
}

/// Writes the file into the directory of a locked game. The positions come sorted by index, none
/// twice; blocks of them are packed on some threads.
pub(crate) fn write(
    storage: &dyn Storage,
    lock: &GameLock,
    about: &SparseManifest,
    positions: &mut dyn Iterator<Item = io::Result<(u64, u16)>>,
    threads: usize,
) -> Result<(), TableError> {
    let path = lock.directory().join(FILE);
    let misused = |reason: &str| TableError::Misused { game: about.game.clone(), reason: reason.to_owned() };
    replace_file(storage, &path, |out| fill(out, about, positions, threads)).map_err(|error| match error {
        TableError::Io { source, .. } if source.kind() == io::ErrorKind::InvalidInput => {
            misused(&source.to_string())
        }
        error => error,
    })
}

fn fill(
    file: &mut dyn Write,
    about: &SparseManifest,
    positions: &mut dyn Iterator<Item = io::Result<(u64, u16)>>,
    threads: usize,
) -> io::Result<()> {
    let description = serde_json::to_vec(about)?;
    let head = FRAME.head(&description)?;
    file.write_all(&head)?;
    let mut offset = head.len() as u64;
    let (mut directory, mut blocks) = (Vec::new(), 0_u64);
    let (mut last, mut count) = (None, 0_u64);
    let mut several = Vec::with_capacity(threads.max(1) * PIECES_A_THREAD * PIECE);
    loop {
        several.clear();
        for position in (&mut *positions).take(several.capacity()) {
            let (index, score) = position?;
            if last.is_some_and(|last| last >= index) {
                return Err(invalid("the indices are not sorted"));
            }
            last = Some(index);
            several.push((index, score));
        }
        if several.is_empty() {
            break;
        }
        count += several.len() as u64;
        let pieces: Vec<&[(u64, u16)]> = several.chunks(PIECE).collect();
        let pack = |piece: usize| packed_blocks(pieces[piece], about.score_bytes);
        in_order(pieces.len(), threads, &Silent, &pack, &mut |packed| {
            for (first, packed) in packed {
                file.write_all(&packed)?;
                directory.extend(first.to_le_bytes());
                directory.extend(offset.to_le_bytes());
                directory.extend((packed.len() as u32).to_le_bytes());
                directory.extend(crc32c::crc32c(&packed).to_le_bytes());
                offset += packed.len() as u64;
                blocks += 1;
            }
            Ok::<_, io::Error>(())
        })?;
    }
    if count != about.positions {
        return Err(invalid("the number of positions is not the one described"));
    }
    file.write_all(&directory)?;
    file.write_all(&FRAME.foot(&head, offset, blocks, &directory))
}

fn invalid(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, reason.to_owned())
}

/// The blocks of sorted positions, each with its first index.
fn packed_blocks(positions: &[(u64, u16)], score_bytes: u8) -> io::Result<Vec<(u64, Vec<u8>)>> {
    let mut compressor = Compressor::new(1)?;
    let mut bytes = Vec::new();
    let mut blocks = Vec::with_capacity(positions.len().div_ceil(PER_BLOCK));
    for block in positions.chunks(PER_BLOCK) {
        let (first, _) = block[0];
        bytes.clear();
        let mut last = first;
        for &(index, _) in block {
            put_varint(&mut bytes, index - last);
            last = index;
        }
        for &(_, score) in block {
            match score_bytes {
                1 => bytes.push(narrowed(score).ok_or_else(|| invalid("a score takes two bytes"))?),
                _ => bytes.extend(score.to_le_bytes()),
            }
        }
        let mut packed = Vec::new();
        compressor.compress(&bytes, &mut packed)?;
        packed.shrink_to_fit();
        blocks.push((first, packed));
    }
    Ok(blocks)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes)
}

/// A decoded block.
struct Block {
    indices: Vec<u64>,
    scores: Vec<u16>,
}

/// The file, open for reading.
pub(crate) struct SparseTable {
    path: PathBuf,
    source: Box<dyn Source>,
    about: SparseManifest,
    directory: Vec<u8>,
    directory_at: u64,
    cache: Mutex<HashMap<usize, Arc<Block>>>,
    /// The most blocks in it.
    cached_blocks: usize,
}

impl SparseTable {
    /// Opens the file of a game; `None` if there is none.
    pub fn open(
        storage: &dyn Storage,
        tables: &Path,
        game: &str,
        expected: Expectations,
    ) -> Result<Option<SparseTable>, TableError> {
        let path = tables.join(directory_name(game)).join(FILE);
        let source = match storage.open(&path) {
            Ok(source) => source,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(TableError::io("read", &path, error)),
        };
        let framed = FRAME.open("a table of occurring positions", &path, &*source)?;
        let about: SparseManifest = serde_json::from_slice(&framed.description)
            .map_err(|error| TableError::damaged(&path, FilePart::Header, error.to_string()))?;
        let version = |what, found, expected| {
            if found == expected {
                return Ok(());
            }
            Err(TableError::WrongVersion { file: path.clone(), what, found, expected })
        };
        if about.game != game {
            return Err(TableError::WrongGame { file: path, found: about.game, expected: game.to_owned() });
        }
        version(VersionKind::Rules, about.rules_version.into(), expected.rules_version.into())?;
        version(VersionKind::Numbering, about.index_version.into(), expected.index_version.into())?;
        version(VersionKind::IndexCount, about.index_count.0, expected.index_count)?;

        if !matches!(about.score_bytes, 1 | 2) {
            return Err(TableError::damaged(
                &path,
                FilePart::Header,
                "its scores have no size that scores have",
            ));
        }

        let blocks = about.positions.div_ceil(PER_BLOCK as u64);
        let bytes = blocks.checked_mul(ENTRY as u64);
        let found = framed.directory(|found| bytes.filter(|_| found == blocks))?;
        let (directory, directory_at, cache) = (found.bytes, found.at, Mutex::default());
        let cached_blocks = CACHED_BLOCKS;
        Ok(Some(SparseTable { path, source, about, directory, directory_at, cache, cached_blocks }))
    }

    fn block_count(&self) -> usize {
        self.directory.len() / ENTRY
    }

    /// Reads and checks a block, past the cache.
    fn read_block(&self, number: usize) -> Result<Block, TableError> {
        let entry = &self.directory[number * ENTRY..][..ENTRY];
        let (offset, length) = (u64_at(entry, 8), u32_at(entry, 16));
        let wrong = |reason: &str| TableError::damaged(&self.path, FilePart::Block(number as u64), reason);
        if offset.saturating_add(length.into()) > self.directory_at {
            return Err(wrong("its description is wrong"));
        }
        let mut packed = vec![0; length as usize];
        let read = read_up_to(&*self.source, &mut packed, offset)
            .map_err(|error| TableError::io("read", &self.path, error))?;
        if read < packed.len() || crc32c::crc32c(&packed) != u32_at(entry, 20) {
            return Err(wrong("its checksum is wrong"));
        }
        // Differences take at most 10 bytes, scores 2.
        let bytes = compression::decompress(&packed, 12 * PER_BLOCK)
            .map_err(|error| wrong(&format!("it cannot be decompressed ({error})")))?;
        let count = self.about.positions - number as u64 * PER_BLOCK as u64;
        let count = count.min(PER_BLOCK as u64) as usize;
        let mut rest = &bytes[..];
        let mut index = u64_at(entry, 0);
        let mut indices = Vec::with_capacity(count);
        for _ in 0..count {
            let step = take_varint(&mut rest).and_then(|step| index.checked_add(step));
            index = step.ok_or_else(|| wrong("its indices cannot be read"))?;
            indices.push(index);
        }
        if rest.len() != count * usize::from(self.about.score_bytes) {
            return Err(wrong("it has the wrong number of scores"));
        }
        let scores = match self.about.score_bytes {
            1 => rest.iter().map(|&score| widened(score)).collect(),
            _ => rest.as_chunks::<2>().0.iter().map(|&score| u16::from_le_bytes(score)).collect(),
        };
        Ok(Block { indices, scores })
    }

    fn block(&self, number: usize) -> Result<Arc<Block>, TableError> {
        if let Some(block) = self.cache.lock().get(&number) {
            return Ok(block.clone());
        }
        let block = Arc::new(self.read_block(number)?);
        let mut cache = self.cache.lock();
        if cache.len() >= self.cached_blocks {
            cache.clear();
        }
        cache.insert(number, block.clone());
        Ok(block)
    }

    /// All positions in memory.
    fn load(&self) -> Result<Loaded, Error> {
        let too_many = || Error::TooLarge("there is no memory for all occurring positions".to_owned());
        let count = u32::try_from(self.about.positions).map_err(|_| too_many())? as usize;
        let (mut indices, mut scores) = (Vec::new(), Vec::new());
        refusable(|| indices.try_reserve_exact(count)).map_err(|_| too_many())?;
        refusable(|| scores.try_reserve_exact(count)).map_err(|_| too_many())?;
        for number in 0..self.block_count() {
            let block = self.read_block(number)?;
            indices.extend(block.indices);
            scores.extend(block.scores);
        }
        Ok(Loaded::new(indices, scores))
    }
}

impl ValueStore for SparseTable {
    fn path(&self) -> &Path {
        &self.path
    }

    /// A checksum over those of all blocks, and the seconds that solving took.
    fn stamp(&self) -> String {
        format!("occurring {:08x} {}", crc32c::crc32c(&self.directory), self.about.seconds)
    }

    fn memory(&self) -> u64 {
        (self.directory.len() + self.cached_blocks.min(self.block_count()) * BLOCK_MEMORY) as u64
    }

    fn limit_cache(&mut self, bytes: u64) {
        let blocks = usize::try_from(bytes).unwrap_or(usize::MAX) / BLOCK_MEMORY;
        self.cached_blocks = self.cached_blocks.min(blocks.max(1));
    }

    fn counts(&self) -> &Counts {
        &self.about.counts
    }

    fn start(&self) -> Option<StartValue> {
        self.about.start
    }

    fn seconds(&self) -> f64 {
        self.about.seconds
    }

    fn horizon(&self) -> Option<Turns> {
        None
    }

    fn place_count(&self) -> u64 {
        self.about.positions
    }

    fn has_occurring_only(&self) -> bool {
        true
    }

    fn get(&self, index: Index) -> Result<Stored, TableError> {
        let (mut low, mut high) = (0, self.block_count());
        while low < high {
            let middle = low.midpoint(high);
            if u64_at(&self.directory, middle * ENTRY) <= index.0 {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let Some(number) = low.checked_sub(1) else { return Ok(Stored::Nothing) };
        let block = self.block(number)?;
        Ok(block.indices.binary_search(&index.0).map_or(Stored::Nothing, |at| block.scores[at].stored()))
    }

    fn at(&self, place: u64) -> Result<(Index, Stored), TableError> {
        if place >= self.about.positions {
            return Err(TableError::OutOfRange { index: Index(place), count: self.about.positions });
        }
        let block = self.block((place / PER_BLOCK as u64) as usize)?;
        let at = (place % PER_BLOCK as u64) as usize;
        Ok((Index(block.indices[at]), block.scores[at].stored()))
    }

    fn scan(&self, from: u64, visit: &mut VisitValue<'_>) -> Result<(), Error> {
        let mut skipped = (from % PER_BLOCK as u64) as usize;
        for number in (from / PER_BLOCK as u64) as usize..self.block_count() {
            let block = self.read_block(number)?;
            for (&index, score) in block.indices.iter().zip(&block.scores).skip(skipped) {
                if let Stored::Known(knowledge) = score.stored()
                    && !visit(Index(index), knowledge)?
                {
                    return Ok(());
                }
            }
            skipped = 0;
        }
        Ok(())
    }

    fn check(&self, progress: &dyn Progress) -> Result<FileCheck, TableError> {
        let blocks = self.block_count();
        progress.stage("checking files", blocks as u64);
        let mut faults = Vec::new();
        for number in 0..blocks {
            match self.read_block(number) {
                Ok(_) => {}
                Err(error @ TableError::Damaged { .. }) => faults.push(error),
                Err(error) => return Err(error),
            }
            progress.advance(1);
        }
        Ok(FileCheck { blocks: blocks as u64, faults })
    }

    fn recount(&self, _threads: usize) -> Result<Option<Counts>, TableError> {
        let mut counts = Counts::default();
        for number in 0..self.block_count() {
            counts.merge(&Counts::of_scores(&self.read_block(number)?.scores));
        }
        Ok(Some(counts))
    }

    fn codes(&self, _sample: Option<u64>, _threads: usize) -> Result<Option<CodeSource<'_>>, Error> {
        if LONG_WORK { Ok(Some(CodeSource::loaded(self.load()?))) } else { Ok(None) }
    }
}
