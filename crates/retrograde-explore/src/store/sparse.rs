//! The values of the positions that can be reached from the start, for games whose dense numbering
//! is far larger: a file of sorted indices and scores.
//!
//! A table of all indices would be mostly empty and too large to write, and a hash table on disk
//! could not be compressed. Differences of sorted indices take two bytes or less, and a probe reads
//! one block, found in a small directory. Head and foot belong to a [`FrameFormat`] with the letter O; the
//! description is JSON, see [`SparseManifest`]. All numbers are little-endian.
//!
//! ```text
//! blocks        of 4096 positions (the last one: the rest), each a zstd frame of
//!               the differences of its indices to the one before (the first: 0), LEB128;
//!               the scores, 1 or 2 bytes each as the description says, with the codes of `Score`
//! directory     for each block: its first index (8), where it begins (8), its length (4), its CRC-32C (4)
//! ```
//!
//! The file is written under another name, synced and renamed, so it is either complete or absent.

use std::io::{self, Write};
use std::path::Path;

use retrograde_game::{Index, Score, Stored};
use retrograde_solve::memory::refusable;
use retrograde_solve::reachable::{narrowed, widened};
use retrograde_solve::{Progress, Silent, in_order};
use retrograde_table::compression::Compressor;
use retrograde_table::{
    Count, Counts, Expectations, FilePart, FrameFormat, GameLock, StartValue, Storage, TableError,
    directory_name, put_varint, replace_file, take_varint,
};
use serde::{Deserialize, Serialize};

use crate::machine::data_memory;
use crate::store::block_file::{BlockDescription, BlockFile, BlockFormat, BlockWriter, u64_at};
use crate::store::codes::{CodeSource, Loaded};
use crate::store::value_store::{StoreFacts, StoreKind, ValueStore, VisitValue};
use crate::{Error, LONG_WORK, Resources};

/// The name of the file.
pub(crate) const FILE: &str = "reachable.rgo";
/// The number of positions in a block.
const PER_BLOCK: usize = 4096;
/// The number of positions that a thread compresses at a time.
const PIECE: usize = 16 * PER_BLOCK;
/// The number of pieces in memory per thread.
const PIECES_PER_THREAD: usize = 4;

/// The description of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SparseManifest {
    pub game: String,
    pub rules_version: u32,
    pub index_version: u32,
    /// The number of indices of the dense numbering.
    pub index_count: Count,
    /// The number of positions in the file.
    pub positions: u64,
    /// The size of a score in bytes.
    pub score_bytes: u8,
    pub counts: Counts,
    pub start: Option<StartValue>,
    pub extra: serde_json::Map<String, serde_json::Value>,
}

/// The stamp of a file with this checksum.
fn stamp(checksum: u32) -> String {
    format!("reachable {checksum:08x}")
}

/// Writes the file into the directory of a locked game and returns its stamp. The positions must be
/// sorted by index, without duplicates. Blocks are compressed on several threads.
pub(crate) fn write(
    storage: &dyn Storage,
    lock: &GameLock,
    about: &SparseManifest,
    positions: &mut dyn Iterator<Item = io::Result<(u64, u16)>>,
    threads: usize,
) -> Result<String, TableError> {
    let path = lock.directory().join(FILE);
    let mut checksum = 0;
    let misused = |reason: &str| TableError::Misused { game: about.game.clone(), reason: reason.to_owned() };
    let written = replace_file(storage, &path, |out| {
        checksum = fill(out, about, positions, threads)?;
        Ok(())
    });
    written.map_err(|error| match error {
        TableError::Io { source, .. } if source.kind() == io::ErrorKind::InvalidInput => {
            misused(&source.to_string())
        }
        error => error,
    })?;
    Ok(stamp(checksum))
}

fn fill(
    file: &mut dyn Write,
    about: &SparseManifest,
    positions: &mut dyn Iterator<Item = io::Result<(u64, u16)>>,
    threads: usize,
) -> io::Result<u32> {
    let mut file = BlockWriter::begin(file, about)?;
    let (mut last, mut count) = (None, 0_u64);
    let mut several = Vec::with_capacity(threads.max(1) * PIECES_PER_THREAD * PIECE);
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
            packed.iter().try_for_each(|(first, packed)| file.block(&first.to_le_bytes(), packed))
        })?;
    }
    if count != about.positions {
        return Err(invalid("the number of positions differs from the description"));
    }
    file.finish()
}

fn invalid(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, reason.to_owned())
}

/// Compresses sorted positions into blocks, each with its first index.
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

/// A decoded block.
pub(crate) struct Block {
    indices: Vec<u64>,
    scores: Vec<u16>,
}

impl BlockDescription for SparseManifest {
    const FORMAT: BlockFormat = BlockFormat {
        frame: FrameFormat { letter: b'O', version: 1 },
        what: "a table of reachable positions",
        key_bytes: size_of::<u64>(),
        // A difference takes at most 10 bytes, a score 2.
        most_bytes: 12 * PER_BLOCK,
        // An index and a score for each position.
        block_memory: PER_BLOCK * (size_of::<u64>() + size_of::<u16>()),
        cached_blocks: 1024,
    };
    type Block = Block;

    fn block_count(&self) -> u64 {
        self.positions.div_ceil(PER_BLOCK as u64)
    }

    fn decode(&self, number: usize, key: &[u8], bytes: &[u8]) -> Result<Block, &'static str> {
        let count = self.positions - number as u64 * PER_BLOCK as u64;
        let count = count.min(PER_BLOCK as u64) as usize;
        let mut rest = bytes;
        let mut index = u64_at(key, 0);
        let mut indices = Vec::with_capacity(count);
        for _ in 0..count {
            let step = take_varint(&mut rest).and_then(|step| index.checked_add(step));
            index = step.ok_or("its indices cannot be read")?;
            indices.push(index);
        }
        if rest.len() != count * usize::from(self.score_bytes) {
            return Err("it has the wrong number of scores");
        }
        let scores = match self.score_bytes {
            1 => rest.iter().map(|&score| widened(score)).collect(),
            _ => rest.as_chunks::<2>().0.iter().map(|&score| u16::from_le_bytes(score)).collect(),
        };
        Ok(Block { indices, scores })
    }
}

/// The file, open for reading.
pub(crate) struct SparseTable {
    file: BlockFile<SparseManifest>,
}

impl SparseTable {
    /// Opens the file of a game, if there is one.
    pub(crate) fn open(
        storage: &dyn Storage,
        tables: &Path,
        game: &str,
        expected: Expectations,
    ) -> Result<Option<SparseTable>, TableError> {
        let path = tables.join(directory_name(game)).join(FILE);
        let accepts = |about: &SparseManifest| {
            let found = Expectations {
                rules_version: about.rules_version,
                index_version: about.index_version,
                index_count: about.index_count.0,
            };
            expected.check(&path, game, (&about.game, found))?;
            let damaged = |reason: &str| TableError::damaged(&path, FilePart::Header, reason);
            if !matches!(about.score_bytes, 1 | 2) {
                return Err(damaged("its scores have an impossible size"));
            }
            if u128::from(about.positions) > about.index_count.0 {
                return Err(damaged("it has more positions than there are indices"));
            }
            Ok(true)
        };
        Ok(BlockFile::open(storage, &path, accepts)?.map(|file| SparseTable { file }))
    }

    /// All positions in memory.
    fn load(&self) -> Result<Loaded, Error> {
        let too_many =
            || Error::TooLarge("there is not enough memory for all reachable positions".to_owned());
        let count = u32::try_from(self.file.about.positions).map_err(|_| too_many())? as usize;
        let (mut indices, mut scores) = (Vec::new(), Vec::new());
        refusable(|| indices.try_reserve_exact(count)).map_err(|_| too_many())?;
        refusable(|| scores.try_reserve_exact(count)).map_err(|_| too_many())?;
        for number in 0..self.file.block_count() {
            let block = self.file.read_block(number)?;
            indices.extend(block.indices);
            scores.extend(block.scores);
        }
        Ok(Loaded::new(indices, scores))
    }
}

impl ValueStore for SparseTable {
    fn facts(&self) -> StoreFacts<'_> {
        let about = &self.file.about;
        let facts = StoreFacts::new(&self.file.path, &about.counts, about.positions);
        StoreFacts { kind: StoreKind::Reachable, ..facts }
    }

    fn stamp(&self) -> String {
        stamp(self.file.checksum)
    }

    fn memory(&self) -> u64 {
        self.file.memory()
    }

    fn limit_cache(&mut self, bytes: u64) {
        self.file.limit_cache(bytes);
    }

    fn start(&self) -> Option<StartValue> {
        self.file.about.start
    }

    fn get(&self, index: Index) -> Result<Stored, TableError> {
        let (mut low, mut high) = (0, self.file.block_count());
        while low < high {
            let middle = low.midpoint(high);
            if u64_at(self.file.key(middle), 0) <= index.0 {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let Some(number) = low.checked_sub(1) else { return Ok(Stored::Nothing) };
        let block = self.file.block(number)?;
        Ok(block.indices.binary_search(&index.0).map_or(Stored::Nothing, |at| block.scores[at].stored()))
    }

    fn at(&self, place: u64) -> Result<(Index, Stored), TableError> {
        if place >= self.file.about.positions {
            return Err(TableError::OutOfRange { index: Index(place), count: self.file.about.positions });
        }
        let block = self.file.block((place / PER_BLOCK as u64) as usize)?;
        let at = (place % PER_BLOCK as u64) as usize;
        Ok((Index(block.indices[at]), block.scores[at].stored()))
    }

    fn scan(&self, from: u64, visit: &mut VisitValue<'_>) -> Result<(), Error> {
        let mut skipped = (from % PER_BLOCK as u64) as usize;
        for number in (from / PER_BLOCK as u64) as usize..self.file.block_count() {
            let block = self.file.read_block(number)?;
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

    fn check(&self, progress: &dyn Progress) -> Result<(u64, Vec<TableError>), TableError> {
        self.file.check("checking files", progress)
    }

    fn recount(&self, _threads: usize) -> Result<Option<Counts>, TableError> {
        let mut counts = Counts::default();
        for number in 0..self.file.block_count() {
            counts.merge(&Counts::of_scores(&self.file.read_block(number)?.scores));
        }
        Ok(Some(counts))
    }

    fn codes(
        &self,
        _sample: Option<u64>,
        resources: &Resources<'_>,
    ) -> Result<Option<CodeSource<'_>>, Error> {
        /// Bytes of an index and its score, and of its share of the lookup table.
        const EACH: u64 = 8 + 2 + 4;
        let positions = self.file.about.positions;
        let need = positions.saturating_mul(EACH).saturating_add(self.memory());
        let fits = LONG_WORK && need <= data_memory(resources.memory) && u32::try_from(positions).is_ok();
        if fits { Ok(Some(CodeSource::Loaded(self.load()?))) } else { Ok(None) }
    }
}
