//! The files of a solution, open for lookups: plausible positions up to symmetry, and starts, each
//! with its turns to the end.
//!
//! `losses.rgp` has the positions that are lost for the side to move. It decides any position by a
//! look at its turns: a position that leads to a loss is won, and one that is neither lost nor won
//! is drawn. `wins.rgp`, which not every solution has, holds the won positions, except those that
//! eject a piece at once: for these the rules answer fastest.
//!
//! Positions stand where the solver had them: by the opponent's pushers and anchor (a
//! *superblock*), the mover's pushers (a *cell*), the opponent's pawns (a row) and the mover's
//! pawns (a bit). A block holds some consecutive cells; it is read, checked and decompressed as a
//! whole. Head and foot are those of a [`FrameFormat`] with the letter P, or V for wins. The
//! description is JSON, see [`SolutionInfo`]. All numbers are little-endian.
//!
//! ```text
//! blocks        by superblock, each a zstd frame of
//!               for each cell a bit for each row that is present, in words of 8 bytes
//!               for each word of those rows a byte: a bit for each byte that is not zero
//!               the bytes that are not zero
//!               for each bit that is set a byte: half of the position's turns, rounded down
//! directory     for each block and the end: its offset (8); then for each block its CRC-32C (4)
//! ```
//!
//! A loss takes an even number of turns and a win an odd one, so half of them is enough. The
//! description of the wins equals that of the losses beside them, byte for byte, and so tells which
//! solve they belong to.
//!
//! Files are written under other names, synced and renamed: each is complete or absent.
//!
//! History: version 1 had losses only; wins came later without a change of the format.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_game::Game;
use retrograde_pushfight::{Position, PushFight};
use retrograde_solve::Progress;
use retrograde_table::{
    FilePart, FrameFormat, Source, Storage, TableError, VersionKind, compression, read_up_to,
};

use crate::files::solution_info::SolutionInfo;
use crate::layout::location::{Location, locate};
use crate::layout::numbering::Layout;
use crate::layout::scope::Scope;
use crate::layout::superblocks::SuperblockId;

use crate::files::block_cache::BlockCache;
use crate::files::depth_block::{CELLS_PER_BLOCK, DepthBlock};
use crate::files::zstd_frame;

const VERSION: u32 = 1;

/// The kind of positions in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DepthFileKind {
    /// The lost ones.
    Losses,
    /// The won ones, but for those that eject a piece at once.
    Wins,
}

impl DepthFileKind {
    /// The name of the file.
    pub(crate) fn file(self) -> &'static str {
        match self {
            DepthFileKind::Losses => "losses.rgp",
            DepthFileKind::Wins => "wins.rgp",
        }
    }

    /// One word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            DepthFileKind::Losses => "losses",
            DepthFileKind::Wins => "wins",
        }
    }

    pub(super) fn frame(self) -> FrameFormat {
        let letter = match self {
            DepthFileKind::Losses => b'P',
            DepthFileKind::Wins => b'V',
        };
        FrameFormat { letter, version: VERSION }
    }

    /// Whether the log of the phase with this number of turns has such positions. The log of wins
    /// in 1 has counts only.
    pub(crate) fn is_logged(self, turns: u16) -> bool {
        match self {
            DepthFileKind::Losses => turns.is_multiple_of(2),
            DepthFileKind::Wins => !turns.is_multiple_of(2) && turns > 1,
        }
    }

    /// The turns of which this is half, rounded down.
    pub(super) fn turns(self, half: u8) -> u16 {
        2 * u16::from(half) + u16::from(self == DepthFileKind::Wins)
    }
}

/// The numbers of a board's shape, as the description has them.
pub(crate) fn numbers(layout: &Layout) -> [usize; 3] {
    [layout.superblocks.len(), layout.cells.len(), CELLS_PER_BLOCK]
}

/// The answer of a file about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lookup {
    /// The file has the position, with this number of turns to the end.
    Found(u16),
    /// The file does not have the position. (With a horizon, it lacks positions that take longer.)
    Missing,
    /// The file does not cover the position: no push can have led to it.
    Outside,
}

/// Bytes of a decoded block in memory, on the standard board.
const BLOCK_MEMORY: u64 = 30 << 10;

/// A file, open for probing.
pub struct DepthFile {
    pub(super) kind: DepthFileKind,
    path: PathBuf,
    source: Box<dyn Source>,
    info: SolutionInfo,
    pub(super) layout: Arc<Layout>,
    pub(super) per_superblock: usize,
    checksum: u32,
    starts: Vec<u64>,
    sums: Vec<u32>,
    kept: BlockCache,
}

impl DepthFile {
    /// Opens the file in a directory; `None` if there is none.
    ///
    /// # Errors
    /// If it is of another game or version, or damaged.
    pub fn open(
        kind: DepthFileKind,
        game: &PushFight,
        directory: &Path,
        storage: &dyn Storage,
    ) -> Result<Option<DepthFile>, TableError> {
        let layout = || Layout::new(game, Scope::PlausibleAndStarts).map(Arc::new);
        DepthFile::open_with(kind, game, directory, storage, layout)
    }

    /// Opens the wins of a solution by its losses; `None` if there are none.
    ///
    /// # Errors
    /// If the file is of another game, version or solve, or damaged.
    pub fn wins(
        &self,
        game: &PushFight,
        directory: &Path,
        storage: &dyn Storage,
    ) -> Result<Option<DepthFile>, TableError> {
        let layout = || Some(self.layout.clone());
        let Some(wins) = DepthFile::open_with(DepthFileKind::Wins, game, directory, storage, layout)? else {
            return Ok(None);
        };
        if wins.info != self.info {
            let within =
                wins.info.horizon.map_or_else(String::new, |turns| format!(", within {turns} turns"));
            return Err(TableError::WrongGame {
                file: wins.path,
                found: format!("another solve (by version {}{within})", wins.info.tool_version),
                expected: format!("that of {}: remove it, or solve the game again", self.kind.file()),
            });
        }
        Ok(Some(wins))
    }

    fn open_with(
        kind: DepthFileKind,
        game: &PushFight,
        directory: &Path,
        storage: &dyn Storage,
        layout: impl FnOnce() -> Option<Arc<Layout>>,
    ) -> Result<Option<DepthFile>, TableError> {
        let path = directory.join(kind.file());
        let source = match storage.open(&path) {
            Ok(source) => source,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(TableError::io("read", &path, error)),
        };
        let damaged = |place, reason: &str| TableError::damaged(&path, place, reason);
        let framed = kind.frame().open(&format!("a file of {}", kind.word()), &path, &*source)?;
        let info: SolutionInfo = serde_json::from_slice(&framed.description)
            .map_err(|error| damaged(FilePart::Header, &error.to_string()))?;
        let (name, board) = (game.name(), game.board_drawing());
        if info.game != name || info.board != board {
            return Err(TableError::WrongGame { file: path, found: info.game, expected: name });
        }
        if info.rules_version != PushFight::RULES_VERSION {
            return Err(TableError::WrongVersion {
                what: VersionKind::Rules,
                found: info.rules_version.into(),
                expected: PushFight::RULES_VERSION.into(),
                file: path,
            });
        }
        let layout =
            layout().ok_or_else(|| damaged(FilePart::Header, "its board is too large to have one"))?;
        let per_superblock = layout.cells.len().div_ceil(CELLS_PER_BLOCK);
        if info.shape != numbers(&layout) {
            return Err(damaged(FilePart::Header, "its numbers do not fit the board"));
        }
        if !info.adds_up(game) {
            return Err(damaged(FilePart::Header, "its counts do not add up"));
        }
        let blocks = (layout.superblocks.len() * per_superblock) as u64;
        let directory = framed.directory(|found| (found == blocks).then_some(12 * blocks + 8))?;
        let (starts, sums) = directory.bytes.split_at(8 * blocks as usize + 8);
        let starts: Vec<u64> =
            starts.as_chunks::<8>().0.iter().map(|start| u64::from_le_bytes(*start)).collect();
        let sums = sums.as_chunks::<4>().0.iter().map(|sum| u32::from_le_bytes(*sum)).collect();
        if !starts.is_sorted() || starts.last() != Some(&directory.at) {
            return Err(damaged(FilePart::Page(0), "its blocks are not in order"));
        }
        let (checksum, kept) = (directory.checksum, BlockCache::default());
        Ok(Some(DepthFile { kind, path, source, info, layout, per_superblock, checksum, starts, sums, kept }))
    }

    pub(crate) fn kind(&self) -> DepthFileKind {
        self.kind
    }

    /// The error for a file whose positions contradict the counts in its description.
    pub(crate) fn contradicted(&self) -> TableError {
        TableError::damaged(
            &self.path,
            FilePart::Header,
            "its numbers are not those that its positions lead to",
        )
    }

    /// The error for a file with a position that should be in none.
    pub(crate) fn superfluous(&self) -> TableError {
        let reason = "it has a position that wins by ejecting a piece at once, or that the other file has";
        TableError::damaged(&self.path, FilePart::Header, reason)
    }

    /// The numbering that its positions have.
    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The checksum of its footer, which holds those of its description and of its blocks.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The description of its solution.
    pub fn info(&self) -> &SolutionInfo {
        &self.info
    }

    pub(crate) fn info_mut(&mut self) -> &mut SolutionInfo {
        &mut self.info
    }

    pub(super) fn read_block(&self, number: usize) -> Result<DepthBlock, TableError> {
        let damaged = |reason: &str| TableError::damaged(&self.path, FilePart::Block(number as u64), reason);
        let (from, to) = (self.starts[number], self.starts[number + 1]);
        let mut packed = vec![0; (to - from) as usize];
        let read = read_up_to(&*self.source, &mut packed, from)
            .map_err(|error| TableError::io("read", &self.path, error))?;
        if read < packed.len() || crc32c::crc32c(&packed) != self.sums[number] {
            return Err(damaged("its checksum is wrong"));
        }
        let first = number % self.per_superblock * CELLS_PER_BLOCK;
        let cells = CELLS_PER_BLOCK.min(self.layout.cells.len() - first);
        let size = zstd_frame::content_size(&packed);
        if size > DepthBlock::most_bytes(cells, self.layout.words) as u64 {
            return Err(damaged("it is too long"));
        }
        let raw = compression::decompress(&packed, size as usize)
            .map_err(|_| damaged("it cannot be decompressed"))?;
        DepthBlock::new(raw, cells, self.layout.words)
            .filter(|block| block.is_within(self.layout.words, self.layout.lanes))
            .ok_or_else(|| damaged("its lengths do not fit"))
    }

    fn block(&self, number: usize) -> Result<Arc<DepthBlock>, TableError> {
        if let Some(block) = self.kept.get(number) {
            return Ok(block);
        }
        let block = Arc::new(self.read_block(number)?);
        self.kept.put(number, block.clone());
        Ok(block)
    }

    /// The bytes of memory that it may come to take.
    pub(crate) fn memory(&self) -> u64 {
        let directory = self.starts.len() * size_of::<u64>() + self.sums.len() * size_of::<u32>();
        directory as u64 + self.kept.most().min(self.sums.len()) as u64 * BLOCK_MEMORY
    }

    /// Keeps at most so many bytes of blocks in memory.
    pub(crate) fn limit_cache(&mut self, bytes: u64) {
        self.kept.limit(usize::try_from(bytes / BLOCK_MEMORY).unwrap_or(usize::MAX));
    }

    /// The location of a position in this file and in the one beside it.
    pub(crate) fn locate(&self, game: &PushFight, position: &Position) -> Option<Location> {
        locate(&self.layout, game, position)
    }

    /// The number of a position's place in the order of the file, also for positions that it does
    /// not have. `None` if the file does not cover the position.
    pub fn position_number(&self, game: &PushFight, position: &Position) -> Option<u64> {
        let Location { superblock, cell, row, bit } = self.locate(game, position)?;
        let lanes = self.layout.lanes;
        Some(
            (((superblock.index() * self.layout.cells.len() + cell) * lanes + row.index()) * lanes
                + bit.index()) as u64,
        )
    }

    /// The turns of the position at a location, if the file has it.
    pub(crate) fn turns_at(&self, location: Location) -> Result<Option<u16>, TableError> {
        let block =
            self.block(location.superblock.index() * self.per_superblock + location.cell / CELLS_PER_BLOCK)?;
        let half = block.half(self.layout.words, location.cell % CELLS_PER_BLOCK, location.row, location.bit);
        Ok(half.map(|half| self.kind.turns(half)))
    }

    /// Looks a position up.
    ///
    /// # Errors
    /// If a block cannot be read, or is damaged.
    pub fn lookup(&self, game: &PushFight, position: &Position) -> Result<Lookup, TableError> {
        let Some(location) = self.locate(game, position) else { return Ok(Lookup::Outside) };
        Ok(self.turns_at(location)?.map_or(Lookup::Missing, Lookup::Found))
    }

    /// Visits all its positions, up to symmetry, with their turns, until `visit` returns false.
    ///
    /// # Errors
    /// If a block cannot be read or is damaged, and the errors of `visit`.
    pub fn for_each<E: From<TableError>>(
        &self,
        mut visit: impl FnMut(Position, u16) -> Result<bool, E>,
    ) -> Result<(), E> {
        let layout = &self.layout;
        let words = layout.words;
        for number in 0..self.sums.len() {
            let (superblock, first) =
                (number / self.per_superblock, number % self.per_superblock * CELLS_PER_BLOCK);
            let superblock = SuperblockId::new(superblock);
            let block = self.read_block(number)?;
            let opponent = layout.superblocks[superblock].pushers as usize;
            let other_pushers = layout.pusher_sets[opponent];
            for cell in 0..block.cells() {
                let own_pushers = crate::layout::sets::expand(
                    layout.cells[first + cell],
                    layout.board.all & !other_pushers,
                );
                let set = |lane| layout.pawns_beside(opponent, lane);
                for (row, bit, half) in block.cell(words, cell) {
                    let position = Position {
                        own_pushers,
                        own_pawns: set(bit),
                        other_pushers,
                        other_pawns: set(row),
                        anchor: layout.anchor(superblock),
                    };
                    if !visit(position, self.kind.turns(half))? {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads all blocks; returns their number and the errors found.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn check(&self, progress: &dyn Progress) -> Result<(u64, Vec<TableError>), TableError> {
        progress.stage(&format!("reading the {}", self.kind.word()), self.sums.len() as u64);
        let mut wrong = Vec::new();
        for number in 0..self.sums.len() {
            if let Err(error) = self.read_block(number) {
                match error {
                    TableError::Damaged { .. } => wrong.push(error),
                    error => return Err(error),
                }
            }
            progress.advance(1);
        }
        Ok((self.sums.len() as u64, wrong))
    }
}
