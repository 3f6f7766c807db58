//! The files of a solution: plausible positions up to symmetry, and positions before the first push, each with its turns
//! to the end. `losses.rgp` has those that are lost for the side to move. With it any position is decided by a look at its
//! turns: one that leads to a loss wins, and of what neither is lost nor wins, nothing leads to an end. `wins.rgp`, which
//! not every solution has, has those that are won, but for what ejects a piece at once: that the rules tell fastest.
//!
//! Positions stand where the solver had them: by the opponent's pushers and anchor (a *superblock*), the mover's
//! pushers (a *cell*), the opponent's pawns (a row) and the mover's (a bit). Some cells together are a block, which is
//! what is read, checked and decompressed for a probe. Head and foot are those of a [`Frame`] with the letter P, of wins
//! V; the description is JSON, see [`About`]. All numbers are little-endian.
//!
//! ```text
//! blocks        by superblock, each a zstd frame of
//!               for each of its cells which rows there are: a bit for each, in words of 8 bytes
//!               for each word of those rows which of its bytes are not zero, a byte
//!               those bytes
//!               for each bit that is set half of the position's turns, rounded down, a byte
//! directory     for each block and the end: where it begins (8); then for each block its CRC-32C (4)
//! ```
//!
//! A loss takes an even number of turns and a win an odd one, so half of them says them all. The description of wins is
//! that of the losses beside them, to the letter: it says whose wins they are.
//!
//! The files are written under other names, synced and renamed: each is whole or not there.
//!
//! History: 1, the first, of losses only; the wins came later and changed nothing.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_game::Game;
use retrograde_pushfight::{Position, PushFight};
use retrograde_solve::Progress;
use retrograde_table::{Frame, Place, Source, Storage, TableError, Versioned, read_up_to, squeeze};

use crate::files::solution_info::About;
use crate::layout::location::{Spot, spot};
use crate::layout::numbering::{Scope, Shape};

use crate::files::block_cache::Shelves;
use crate::files::depth_block::{Block, GROUP};

const VERSION: u32 = 1;
/// No block is longer than this before compression.
const MOST_BLOCK: usize = 1 << 27;

/// Which positions a file has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// The lost ones.
    Losses,
    /// The won ones, but for those that eject a piece at once.
    Wins,
}

impl Which {
    /// The name of the file.
    pub(crate) fn file(self) -> &'static str {
        match self {
            Which::Losses => "losses.rgp",
            Which::Wins => "wins.rgp",
        }
    }

    /// One word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Which::Losses => "losses",
            Which::Wins => "wins",
        }
    }

    pub(super) fn frame(self) -> Frame {
        let letter = match self {
            Which::Losses => b'P',
            Which::Wins => b'V',
        };
        Frame { letter, version: VERSION }
    }

    /// Whether the log of a phase of so many turns has such positions; of what is won in 1 it has numbers only.
    pub(crate) fn is_logged(self, turns: u16) -> bool {
        match self {
            Which::Losses => turns.is_multiple_of(2),
            Which::Wins => !turns.is_multiple_of(2) && turns > 1,
        }
    }

    /// The turns of which this is half, rounded down.
    pub(super) fn turns(self, half: u8) -> u16 {
        2 * u16::from(half) + u16::from(self == Which::Wins)
    }
}

/// The numbers of a board's shape, as the description has them.
pub(crate) fn numbers(shape: &Shape) -> [usize; 3] {
    [shape.supers.len(), shape.cells.len(), GROUP]
}

/// What a file says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// It has it, with so many turns to the end.
    Found(u16),
    /// It does not have it (with a horizon: what takes longer is not there).
    Missing,
    /// It is not about it: no push can have led to the position.
    Outside,
}

/// A file, open for probing.
pub struct TurnsFile {
    pub(super) which: Which,
    path: PathBuf,
    source: Box<dyn Source>,
    about: About,
    pub(super) shape: Arc<Shape>,
    pub(super) per_superblock: usize,
    checksum: u32,
    starts: Vec<u64>,
    sums: Vec<u32>,
    kept: Shelves,
}

impl TurnsFile {
    /// Opens the file in a directory; `None` if there is none.
    ///
    /// # Errors
    /// If it is of another game or version, or damaged.
    pub fn open(
        which: Which,
        game: &PushFight,
        directory: &Path,
        storage: &dyn Storage,
    ) -> Result<Option<TurnsFile>, TableError> {
        let shape = || Shape::new(game, Scope::Game).map(Arc::new);
        TurnsFile::open_with(which, game, directory, storage, shape)
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
    ) -> Result<Option<TurnsFile>, TableError> {
        let shape = || Some(self.shape.clone());
        let Some(wins) = TurnsFile::open_with(Which::Wins, game, directory, storage, shape)? else {
            return Ok(None);
        };
        if wins.about != self.about {
            let within =
                wins.about.horizon.map_or_else(String::new, |turns| format!(", within {turns} turns"));
            return Err(TableError::WrongGame {
                file: wins.path,
                found: format!("another solve (by version {}{within})", wins.about.tool_version),
                expected: format!("that of {}: remove it, or solve the game again", self.which.file()),
            });
        }
        Ok(Some(wins))
    }

    fn open_with(
        which: Which,
        game: &PushFight,
        directory: &Path,
        storage: &dyn Storage,
        shape: impl FnOnce() -> Option<Arc<Shape>>,
    ) -> Result<Option<TurnsFile>, TableError> {
        let path = directory.join(which.file());
        let source = match storage.open(&path) {
            Ok(source) => source,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(TableError::io("read", &path, error)),
        };
        let damaged = |place, reason: &str| TableError::damaged(&path, place, reason);
        let framed = which.frame().open(&format!("a file of {}", which.word()), &path, &*source)?;
        let about: About = serde_json::from_slice(&framed.description)
            .map_err(|error| damaged(Place::Header, &error.to_string()))?;
        let (name, board) = (game.name(), game.board_drawing());
        if about.game != name || about.board != board {
            return Err(TableError::WrongGame { file: path, found: about.game, expected: name });
        }
        if about.rules_version != PushFight::RULES_VERSION {
            return Err(TableError::WrongVersion {
                what: Versioned::Rules,
                found: about.rules_version.into(),
                expected: PushFight::RULES_VERSION.into(),
                file: path,
            });
        }
        let shape = shape().ok_or_else(|| damaged(Place::Header, "its board is too large to have one"))?;
        let per_superblock = shape.cells.len().div_ceil(GROUP);
        if about.shape != numbers(&shape) {
            return Err(damaged(Place::Header, "its numbers do not fit the board"));
        }
        let blocks = (shape.supers.len() * per_superblock) as u64;
        let directory = framed.directory(|found| (found == blocks).then_some(12 * blocks + 8))?;
        let (starts, sums) = directory.bytes.split_at(8 * blocks as usize + 8);
        let starts: Vec<u64> =
            starts.as_chunks::<8>().0.iter().map(|start| u64::from_le_bytes(*start)).collect();
        let sums = sums.as_chunks::<4>().0.iter().map(|sum| u32::from_le_bytes(*sum)).collect();
        if !starts.is_sorted() || starts.last() != Some(&directory.at) {
            return Err(damaged(Place::Page(0), "its blocks are not in order"));
        }
        let (checksum, kept) = (directory.checksum, Shelves::default());
        Ok(Some(TurnsFile {
            which,
            path,
            source,
            about,
            shape,
            per_superblock,
            checksum,
            starts,
            sums,
            kept,
        }))
    }

    pub(crate) fn which(&self) -> Which {
        self.which
    }

    /// That a solve which begins with its positions ends with other numbers than it says.
    pub(crate) fn contradicted(&self) -> TableError {
        TableError::damaged(&self.path, Place::Header, "its numbers are not those that its positions lead to")
    }

    /// The numbering that its positions have.
    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The checksum of its footer, which holds those of its description and of its blocks.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// What it is.
    pub fn about(&self) -> &About {
        &self.about
    }

    pub(crate) fn about_mut(&mut self) -> &mut About {
        &mut self.about
    }

    pub(super) fn read_block(&self, number: usize) -> Result<Block, TableError> {
        let damaged = |reason: &str| TableError::damaged(&self.path, Place::Block(number as u64), reason);
        let (from, to) = (self.starts[number], self.starts[number + 1]);
        let mut packed = vec![0; (to - from) as usize];
        let read = read_up_to(&*self.source, &mut packed, from)
            .map_err(|error| TableError::io("read", &self.path, error))?;
        if read < packed.len() || crc32c::crc32c(&packed) != self.sums[number] {
            return Err(damaged("its checksum is wrong"));
        }
        let size = zstd::zstd_safe::get_frame_content_size(&packed).ok().flatten().unwrap_or(0) as usize;
        if size > MOST_BLOCK {
            return Err(damaged("it is too long"));
        }
        let raw = squeeze::decompress(&packed, size).map_err(|_| damaged("it cannot be decompressed"))?;
        let first = number % self.per_superblock * GROUP;
        let cells = GROUP.min(self.shape.cells.len() - first);
        Block::new(raw, cells, self.shape.words).ok_or_else(|| damaged("its lengths do not fit"))
    }

    fn block(&self, number: usize) -> Result<Arc<Block>, TableError> {
        if let Some(block) = self.kept.get(number) {
            return Ok(block);
        }
        let block = Arc::new(self.read_block(number)?);
        self.kept.put(number, block.clone());
        Ok(block)
    }

    /// Where a position stands in this file and in the one beside it.
    pub(crate) fn spot(&self, game: &PushFight, position: &Position) -> Option<Spot> {
        spot(&self.shape, game, position)
    }

    /// The number of that place, in the order of the file; also of positions that it does not have. `None` if it is not about
    /// the position.
    pub fn place(&self, game: &PushFight, position: &Position) -> Option<u64> {
        let Spot { superblock, cell, row, bit } = self.spot(game, position)?;
        let lanes = self.shape.lanes;
        Some((((superblock * self.shape.cells.len() + cell) * lanes + row) * lanes + bit) as u64)
    }

    /// The turns of what stands there, if it is there.
    pub(crate) fn at(&self, spot: Spot) -> Result<Option<u16>, TableError> {
        let block = self.block(spot.superblock * self.per_superblock + spot.cell / GROUP)?;
        let half = block.half(self.shape.words, spot.cell % GROUP, spot.row, spot.bit);
        Ok(half.map(|half| self.which.turns(half)))
    }

    /// What it says of a position.
    ///
    /// # Errors
    /// If a block cannot be read, or is damaged.
    pub fn look(&self, game: &PushFight, position: &Position) -> Result<Look, TableError> {
        let Some(spot) = self.spot(game, position) else { return Ok(Look::Outside) };
        Ok(self.at(spot)?.map_or(Look::Missing, Look::Found))
    }

    /// Visits all its positions, up to symmetry, with their turns, until `visit` says no more.
    ///
    /// # Errors
    /// If a block cannot be read, or is damaged, and what `visit` says.
    pub fn each<E: From<TableError>>(
        &self,
        mut visit: impl FnMut(Position, u16) -> Result<bool, E>,
    ) -> Result<(), E> {
        let shape = &self.shape;
        let words = shape.words;
        for number in 0..self.sums.len() {
            let (superblock, first) = (number / self.per_superblock, number % self.per_superblock * GROUP);
            let block = self.read_block(number)?;
            let opponent = shape.supers[superblock].pushers as usize;
            let other_pushers = shape.pusher_sets[opponent];
            for cell in 0..block.cells() {
                let own_pushers =
                    crate::layout::sets::expand(shape.cells[first + cell], shape.all & !other_pushers);
                let set = |lane: usize| shape.pawn_sets[shape.global(opponent, lane)];
                for (row, bit, half) in block.cell(words, cell) {
                    let position = Position {
                        own_pushers,
                        own_pawns: set(bit),
                        other_pushers,
                        other_pawns: set(row),
                        anchor: shape.anchor(superblock),
                    };
                    if !visit(position, self.which.turns(half))? {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads all blocks: how many there are, and what is wrong with some.
    ///
    /// # Errors
    /// What the system says.
    pub fn check(&self, progress: &dyn Progress) -> Result<(u64, Vec<TableError>), TableError> {
        progress.stage(&format!("reading the {}", self.which.word()), self.sums.len() as u64);
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
