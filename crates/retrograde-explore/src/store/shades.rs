//! The shades of draws, in a file beside a table: a code for each index.
//!
//! Nothing rests on this file: whoever finds it damaged, or made for other values, goes on without
//! it and says so. Head and foot are those of a [`FrameFormat`] with the letter S; the description
//! is JSON, see [`ShadeManifest`]. All numbers are little-endian.
//!
//! ```text
//! blocks        of 32,768 indices (the last one: the rest), each a zstd frame of
//!               their codes, 1 or 2 bytes each as the description says: 0 no draw, 1 a quiet one,
//!               and from 2 on level after level the turns to the task, from 0 on
//! directory     for each block: where it begins (8), its length (4), its CRC-32C (4)
//! ```
//!
//! The file is written under another name, synced and renamed: it is whole or not there.
//!
//! History: 1, the first.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use retrograde_game::Index;
use retrograde_solve::shades::{LevelCounts, Scale, Shade, ShadeCounts, Shades};
use retrograde_solve::{Progress, in_order};
use retrograde_table::{
    Count, Expectations, FilePart, FrameFormat, GameLock, Source, Storage, TableError, VersionKind,
    compression, read_up_to, replace_file,
};
use serde::{Deserialize, Serialize};

/// The name of the file.
pub(crate) const FILE: &str = "shades.rgs";
const FRAME: FrameFormat = FrameFormat { letter: b'S', version: 1 };
const ENTRY: usize = 16;
/// Indices in a block.
const PER_BLOCK: usize = 1 << 15;
/// The number of decoded blocks in memory, unless it is limited.
const CACHED_BLOCKS: usize = 128;
/// Bytes of a decoded block.
const BLOCK_MEMORY: usize = PER_BLOCK * size_of::<u16>();

/// The description of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShadeManifest {
    pub game: String,
    pub rules_version: u32,
    pub index_version: u32,
    /// Indices of the dense numbering.
    pub index_count: Count,
    pub tool_version: String,
    /// The stamp of the values that it was made for.
    pub values: String,
    /// Bytes of a code.
    pub code_bytes: u8,
    /// The longest press of each level, in turns.
    pub longest: Vec<u16>,
    /// Positions of the game proper with each code.
    pub by_code: Vec<u64>,
    pub seconds: f64,
}

impl ShadeManifest {
    /// The fault of a description, if it has one.
    fn fault(&self) -> Option<&'static str> {
        let Some(scale) = Scale::new(&self.longest) else { return Some("its levels are too long") };
        if self.by_code.len() != usize::from(scale.codes()) {
            return Some("it has not as many counts as codes");
        }
        let fits = match self.code_bytes {
            1 => scale.is_narrow(),
            2 => true,
            _ => false,
        };
        if fits { None } else { Some("its codes have no size that they can have") }
    }
}

/// Writes the file into the directory of a locked game.
pub(crate) fn write(
    storage: &dyn Storage,
    lock: &GameLock,
    about: &ShadeManifest,
    shades: &Shades,
    (threads, progress): (usize, &dyn Progress),
) -> Result<(), TableError> {
    let path = lock.directory().join(FILE);
    let codes: Vec<&[u16]> = shades.codes.chunks(PER_BLOCK).collect();
    replace_file(storage, &path, |file| {
        let head = FRAME.head(&serde_json::to_vec(about)?)?;
        file.write_all(&head)?;
        let (mut offset, mut directory) = (head.len() as u64, Vec::new());
        let pack = |number: usize| -> io::Result<Vec<u8>> {
            let bytes: Vec<u8> = match about.code_bytes {
                1 => codes[number].iter().map(|&code| code as u8).collect(),
                _ => codes[number].iter().flat_map(|code| code.to_le_bytes()).collect(),
            };
            compression::compress(&bytes, 3)
        };
        let whole = in_order(codes.len(), threads, progress, &pack, &mut |packed| {
            file.write_all(&packed)?;
            directory.extend(offset.to_le_bytes());
            directory.extend((packed.len() as u32).to_le_bytes());
            directory.extend(crc32c::crc32c(&packed).to_le_bytes());
            offset += packed.len() as u64;
            Ok::<(), io::Error>(())
        })?;
        if !whole {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "stopped"));
        }
        file.write_all(&directory)?;
        file.write_all(&FRAME.foot(&head, offset, codes.len() as u64, &directory))
    })
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes)
}

/// The file, open for reading.
pub(crate) struct ShadeFile {
    path: PathBuf,
    source: Box<dyn Source>,
    about: ShadeManifest,
    scale: Scale,
    directory: Vec<u8>,
    directory_at: u64,
    checksum: u32,
    cache: Mutex<HashMap<usize, Arc<Vec<u16>>>>,
    /// The most blocks in it.
    cached_blocks: usize,
}

impl ShadeFile {
    /// Opens the file in the directory of a game; `None` if there is none, or it was made for other
    /// values than those with this stamp.
    pub fn open(
        storage: &dyn Storage,
        directory: &Path,
        (game, values): (&str, &str),
        expected: Expectations,
    ) -> Result<Option<ShadeFile>, TableError> {
        let path = directory.join(FILE);
        let source = match storage.open(&path) {
            Ok(source) => source,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(TableError::io("read", &path, error)),
        };
        let framed = FRAME.open("a file of shades", &path, &*source)?;
        let damaged = |reason: &str| TableError::damaged(&path, FilePart::Header, reason);
        let about: ShadeManifest =
            serde_json::from_slice(&framed.description).map_err(|error| damaged(&error.to_string()))?;
        if about.game != game {
            return Err(TableError::WrongGame { file: path, found: about.game, expected: game.to_owned() });
        }
        for (what, found, expected) in [
            (VersionKind::Rules, about.rules_version.into(), expected.rules_version.into()),
            (VersionKind::Numbering, about.index_version.into(), expected.index_version.into()),
            (VersionKind::IndexCount, about.index_count.0, expected.index_count),
        ] {
            if found != expected {
                return Err(TableError::WrongVersion { file: path, what, found, expected });
            }
        }
        if let Some(fault) = about.fault() {
            return Err(damaged(fault));
        }
        if about.values != values {
            return Ok(None);
        }
        let blocks = u64::try_from(about.index_count.0.div_ceil(PER_BLOCK as u128)).unwrap_or(u64::MAX);
        let bytes = blocks.checked_mul(ENTRY as u64);
        let found = framed.directory(|found| bytes.filter(|_| found == blocks))?;
        let (directory, directory_at, checksum) = (found.bytes, found.at, found.checksum);
        let scale = Scale::new(&about.longest).unwrap_or_default();
        let (cache, cached_blocks) = (Mutex::default(), CACHED_BLOCKS);
        Ok(Some(ShadeFile {
            path,
            source,
            about,
            scale,
            directory,
            directory_at,
            checksum,
            cache,
            cached_blocks,
        }))
    }

    /// A text that differs where the shades do.
    pub fn stamp(&self) -> String {
        format!("shades {:08x}", self.checksum)
    }

    /// Bytes of memory that it may come to take.
    pub fn memory(&self) -> u64 {
        (self.directory.len() + self.cached_blocks.min(self.block_count()) * BLOCK_MEMORY) as u64
    }

    /// Keeps at most so many bytes of decoded blocks, and one block at least.
    pub fn limit_cache(&mut self, bytes: u64) {
        let blocks = usize::try_from(bytes).unwrap_or(usize::MAX) / BLOCK_MEMORY;
        self.cached_blocks = self.cached_blocks.min(blocks.max(1));
    }

    /// How many draws of the game proper have which shade.
    pub fn counts(&self) -> ShadeCounts {
        let levels = vec![LevelCounts::default(); self.about.longest.len()];
        let mut counts = ShadeCounts { quiet: 0, levels };
        for (code, &count) in (0..).zip(&self.about.by_code) {
            counts.add(self.scale.shade(code), count);
        }
        counts
    }

    /// Seconds that finding them took.
    pub fn seconds(&self) -> f64 {
        self.about.seconds
    }

    /// The shade at an index; `None` if its position is not drawn.
    pub fn get(&self, index: Index) -> Result<Option<Shade>, TableError> {
        if u128::from(index.0) >= self.about.index_count.0 {
            let count = u64::try_from(self.about.index_count.0).unwrap_or(u64::MAX);
            return Err(TableError::OutOfRange { index, count });
        }
        let block = self.block((index.0 / PER_BLOCK as u64) as usize)?;
        Ok(self.scale.shade(block[(index.0 % PER_BLOCK as u64) as usize]))
    }

    /// Reads everything; the damage.
    pub fn check(&self, progress: &dyn Progress) -> Result<Vec<TableError>, TableError> {
        progress.stage("checking the shades of draws", self.block_count() as u64);
        let mut faults = Vec::new();
        for number in 0..self.block_count() {
            match self.read_block(number) {
                Ok(_) => {}
                Err(error @ TableError::Damaged { .. }) => faults.push(error),
                Err(error) => return Err(error),
            }
            progress.advance(1);
        }
        Ok(faults)
    }

    /// Blocks of the file.
    pub fn block_count(&self) -> usize {
        self.directory.len() / ENTRY
    }

    /// Reads and checks a block, past the cache.
    fn read_block(&self, number: usize) -> Result<Vec<u16>, TableError> {
        let entry = &self.directory[number * ENTRY..][..ENTRY];
        let (offset, length) = (u64_at(entry, 0), u32_at(entry, 8));
        let wrong = |reason: &str| TableError::damaged(&self.path, FilePart::Block(number as u64), reason);
        if offset.saturating_add(length.into()) > self.directory_at {
            return Err(wrong("its description is wrong"));
        }
        let mut packed = vec![0; length as usize];
        let read = read_up_to(&*self.source, &mut packed, offset)
            .map_err(|error| TableError::io("read", &self.path, error))?;
        if read < packed.len() || crc32c::crc32c(&packed) != u32_at(entry, 12) {
            return Err(wrong("its checksum is wrong"));
        }
        let bytes = compression::decompress(&packed, BLOCK_MEMORY)
            .map_err(|error| wrong(&format!("it cannot be decompressed ({error})")))?;
        let codes: Vec<u16> = match self.about.code_bytes {
            1 => bytes.iter().map(|&code| code.into()).collect(),
            _ => bytes.as_chunks::<2>().0.iter().map(|&code| u16::from_le_bytes(code)).collect(),
        };
        let before = number as u128 * PER_BLOCK as u128;
        let expected = (self.about.index_count.0 - before).min(PER_BLOCK as u128) as usize;
        if codes.len() != expected || bytes.len() != expected * usize::from(self.about.code_bytes) {
            return Err(wrong("it has the wrong number of codes"));
        }
        if codes.iter().any(|&code| code >= self.scale.codes()) {
            return Err(wrong("it has a code without a meaning"));
        }
        Ok(codes)
    }

    fn block(&self, number: usize) -> Result<Arc<Vec<u16>>, TableError> {
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
}
