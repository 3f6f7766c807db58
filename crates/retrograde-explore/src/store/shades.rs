//! The shades of draws, in a file next to a table: a code for each index.
//!
//! Nothing depends on this file: if it is damaged or was made for other values, it is ignored with
//! a note. Head and foot belong to a [`FrameFormat`] with the letter S; the description is JSON,
//! see [`ShadeManifest`]. All numbers are little-endian.
//!
//! ```text
//! blocks        of 32,768 indices (the last one: the rest), each a zstd frame of
//!               their codes, 1 or 2 bytes each as the description says: 0 not a draw, 1 quiet,
//!               then for each level a code for each number of turns to the task, from 0
//! directory     for each block: where it begins (8), its length (4), its CRC-32C (4)
//! ```
//!
//! The file is written under another name, synced and renamed, so it is either complete or absent.

use std::io;
use std::path::Path;

use retrograde_game::Index;
use retrograde_solve::shades::{LevelCounts, Scale, Shade, ShadeCounts, Shades};
use retrograde_solve::{Progress, in_order};
use retrograde_table::{
    Count, Expectations, FilePart, FrameFormat, GameLock, Storage, TableError, compression, replace_file,
};
use serde::{Deserialize, Serialize};

use crate::store::block_file::{BlockDescription, BlockFile, BlockFormat, BlockWriter};

/// The name of the file.
pub(crate) const FILE: &str = "shades.rgs";
/// The number of indices in a block.
const PER_BLOCK: usize = 1 << 15;

/// The description of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShadeManifest {
    pub game: String,
    pub rules_version: u32,
    pub index_version: u32,
    /// The number of indices of the dense numbering.
    pub index_count: Count,
    /// The stamp of the values that the shades belong to.
    pub values: String,
    /// The size of a code in bytes.
    pub code_bytes: u8,
    /// The longest press of each level, in turns.
    pub longest: Vec<u16>,
    /// The number of positions of the game proper with each code.
    pub by_code: Vec<u64>,
}

impl ShadeManifest {
    /// The scale of codes. It has no levels if they are too long, which is a [fault](Self::fault).
    fn scale(&self) -> Scale {
        Scale::new(&self.longest).unwrap_or_default()
    }

    /// The fault of a description, if it has one.
    fn fault(&self) -> Option<&'static str> {
        let Some(scale) = Scale::new(&self.longest) else { return Some("its levels are too long") };
        if self.by_code.len() != usize::from(scale.codes()) {
            return Some("the numbers of counts and codes differ");
        }
        let fits = match self.code_bytes {
            1 => scale.is_narrow(),
            2 => true,
            _ => false,
        };
        if fits { None } else { Some("its codes have an impossible size") }
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
        let mut file = BlockWriter::begin(file, about)?;
        let pack = |number: usize| -> io::Result<Vec<u8>> {
            let bytes: Vec<u8> = match about.code_bytes {
                1 => codes[number].iter().map(|&code| code as u8).collect(),
                _ => codes[number].iter().flat_map(|code| code.to_le_bytes()).collect(),
            };
            compression::compress(&bytes, 3)
        };
        let whole = in_order(codes.len(), threads, progress, &pack, &mut |packed| file.block(&[], &packed))?;
        if !whole {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "stopped"));
        }
        file.finish().map(drop)
    })
}

impl BlockDescription for ShadeManifest {
    const FORMAT: BlockFormat = BlockFormat {
        frame: FrameFormat { letter: b'S', version: 1 },
        what: "a file of shades",
        key_bytes: 0,
        most_bytes: PER_BLOCK * size_of::<u16>(),
        block_memory: PER_BLOCK * size_of::<u16>(),
        cached_blocks: 128,
    };
    /// A code for each index.
    type Block = Vec<u16>;

    fn block_count(&self) -> u64 {
        u64::try_from(self.index_count.0.div_ceil(PER_BLOCK as u128)).unwrap_or(u64::MAX)
    }

    fn decode(&self, number: usize, _key: &[u8], bytes: &[u8]) -> Result<Vec<u16>, &'static str> {
        let codes: Vec<u16> = match self.code_bytes {
            1 => bytes.iter().map(|&code| code.into()).collect(),
            _ => bytes.as_chunks::<2>().0.iter().map(|&code| u16::from_le_bytes(code)).collect(),
        };
        let before = number as u128 * PER_BLOCK as u128;
        let expected = (self.index_count.0 - before).min(PER_BLOCK as u128) as usize;
        if codes.len() != expected || bytes.len() != expected * usize::from(self.code_bytes) {
            return Err("it has the wrong number of codes");
        }
        let meant = self.scale().codes();
        if codes.iter().any(|&code| code >= meant) {
            return Err("it has an undefined code");
        }
        Ok(codes)
    }
}

/// The file, open for reading.
pub(crate) struct ShadeFile {
    pub file: BlockFile<ShadeManifest>,
    scale: Scale,
}

impl ShadeFile {
    /// Opens the file in the directory of a game. Returns `None` if there is no file, or if it
    /// belongs to values with another stamp.
    pub(crate) fn open(
        storage: &dyn Storage,
        directory: &Path,
        (game, values): (&str, &str),
        expected: Expectations,
    ) -> Result<Option<ShadeFile>, TableError> {
        let path = directory.join(FILE);
        let accepts = |about: &ShadeManifest| {
            let found = Expectations {
                rules_version: about.rules_version,
                index_version: about.index_version,
                index_count: about.index_count.0,
            };
            expected.check(&path, game, (&about.game, found))?;
            match about.fault() {
                Some(fault) => Err(TableError::damaged(&path, FilePart::Header, fault)),
                None => Ok(about.values == values),
            }
        };
        let file = BlockFile::open(storage, &path, accepts)?;
        Ok(file.map(|file| ShadeFile { scale: file.about.scale(), file }))
    }

    /// A text that identifies the shades.
    pub(crate) fn stamp(&self) -> String {
        format!("shades {:08x}", self.file.checksum)
    }

    /// The number of draws of the game proper of each shade.
    pub(crate) fn counts(&self) -> ShadeCounts {
        let levels = vec![LevelCounts::default(); self.file.about.longest.len()];
        let mut counts = ShadeCounts { quiet: 0, levels };
        for (code, &count) in (0..).zip(&self.file.about.by_code) {
            counts.add(self.scale.shade(code), count);
        }
        counts
    }

    /// The shade at an index, if its position is drawn.
    pub(crate) fn get(&self, index: Index) -> Result<Option<Shade>, TableError> {
        if u128::from(index.0) >= self.file.about.index_count.0 {
            let count = u64::try_from(self.file.about.index_count.0).unwrap_or(u64::MAX);
            return Err(TableError::OutOfRange { index, count });
        }
        let block = self.file.block((index.0 / PER_BLOCK as u64) as usize)?;
        Ok(self.scale.shade(block[(index.0 % PER_BLOCK as u64) as usize]))
    }

    /// Reads all blocks, and returns their number and the damage.
    pub(crate) fn check(&self, progress: &dyn Progress) -> Result<(u64, Vec<TableError>), TableError> {
        self.file.check("checking the shades of draws", progress)
    }
}
