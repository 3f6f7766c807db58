//! The depth files of a solution, open for lookups: plausible positions and starts, up to symmetry,
//! each with its depth in turns.
//!
//! `losses.rgp` has the positions that are lost for the side to move. It decides any position by a
//! search of its turns: a position that leads to a loss is won, and one that is neither lost nor won is
//! drawn. `wins.rgp`, which is optional, has the won positions except for wins by ejecting a piece at
//! once, which the rules find fastest.
//!
//! Positions are ordered by the pieces of the side to move, as the module `layout::by_mover` numbers
//! them: by its pushers (a *group*) and its pawns (a *configuration*), both up to symmetry. The turns
//! of a position change few pieces of the opponent, who is to move after them. So the values of all
//! successors are in about ten blocks, and a remote file is read in few places. Header and footer are
//! in the [`retrograde_table::FrameFormat`] with the letter P, or V for wins. The description is JSON, see
//! [`SolutionInfo`]. All numbers are little-endian; a *number* has 7 bits a byte, lowest first, and the
//! highest bit of all bytes but the last is set.
//!
//! ```text
//! for each group
//!   blocks      one for each configuration; no bytes if it has no positions; else four columns
//!   page        for each block: its length (4), its CRC-32C (4)
//! directory     for each group: the offset of its page (8), its CRC-32C (4)
//!
//! column        number: its length
//!               number: its length in the file
//!               the column; a zstd frame if these lengths differ
//!
//! column 1      for each set of squares with opposing pieces, in order, of which there are positions:
//!               the number of sets passed over (a number)
//! column 2      for each such set a bit for each of its squares, in order, and one more: whether there
//!               are positions with the anchor there, or without one; in whole bytes
//! column 3      for each such anchor, a bit for each set of pawns among the other opposing pieces, in
//!               order: whether the position is there; one more bit: whether all these positions have
//!               the same turns; in whole bytes
//! column 4      for each such anchor, half of the turns of each of its positions, rounded down (1); once
//!               if they are the same
//! ```
//!
//! Sets are in colexicographic order. A loss takes an even number of turns and a win an odd one, so
//! half of the number identifies it. Wins and losses of one solve have the same description.
//!
//! Opening reads header, directory and footer. Every page and every block is checked when it is read.
//! Files are written under temporary names, synced and renamed, so each is complete or absent.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_game::Game;
use retrograde_pushfight::{Position, PushFight};
use retrograde_solve::Progress;
use retrograde_table::{FilePart, Source, Storage, TableError, VersionKind};

use crate::files::depth::blocks::BlockIndex;
use crate::files::depth::kind::DepthFileKind;
use crate::files::solution_info::SolutionInfo;
use crate::layout::by_mover::MoverLocation;
use crate::layout::numbering::Layout;
use crate::layout::scope::Scope;

/// A file, open for probing.
pub struct DepthFile {
    pub(crate) kind: DepthFileKind,
    pub(super) path: PathBuf,
    /// The description of its solution.
    pub(crate) info: SolutionInfo,
    pub(crate) layout: Arc<Layout>,
    checksum: u32,
    pub(super) source: Arc<dyn Source>,
    pub(super) index: BlockIndex,
}

impl DepthFile {
    /// Opens the file in a directory; `None` if it does not exist.
    ///
    /// # Errors
    /// If it is damaged, or belongs to another game or version.
    pub(crate) fn open(
        kind: DepthFileKind,
        game: &PushFight,
        directory: &Path,
        storage: &dyn Storage,
    ) -> Result<Option<DepthFile>, TableError> {
        let layout = || Layout::new(game, Scope::PlausibleAndStarts).map(Arc::new);
        DepthFile::open_with(kind, game, &directory.join(kind.file()), storage, layout)
    }

    /// Opens the file of wins that belongs to these losses; `None` if it does not exist.
    ///
    /// # Errors
    /// If the file is damaged, or belongs to another game, version or solve.
    pub(crate) fn wins(
        &self,
        game: &PushFight,
        directory: &Path,
        storage: &dyn Storage,
    ) -> Result<Option<DepthFile>, TableError> {
        let layout = || Some(self.layout.clone());
        let path = directory.join(DepthFileKind::Wins.file());
        let Some(wins) = DepthFile::open_with(DepthFileKind::Wins, game, &path, storage, layout)? else {
            return Ok(None);
        };
        if wins.info != self.info {
            let within =
                wins.info.horizon.map_or_else(String::new, |turns| format!(" (within {turns} turns)"));
            return Err(TableError::WrongGame {
                file: wins.path,
                found: format!("another solve{within}"),
                expected: format!("the solve of {}: remove it, or solve the game again", self.kind.file()),
            });
        }
        Ok(Some(wins))
    }

    fn open_with(
        kind: DepthFileKind,
        game: &PushFight,
        path: &Path,
        storage: &dyn Storage,
        layout: impl FnOnce() -> Option<Arc<Layout>>,
    ) -> Result<Option<DepthFile>, TableError> {
        let path = path.to_owned();
        let source: Arc<dyn Source> = match storage.open(&path) {
            Ok(source) => source.into(),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(TableError::io("read", &path, error)),
        };
        let damaged = |place, reason: &str| TableError::damaged(&path, place, reason);
        let framed = kind.frame().open(&format!("a file of {}", kind.name()), &path, &*source)?;
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
        if info.shape != layout.file_shape() {
            return Err(damaged(FilePart::Header, "its numbers do not fit the board"));
        }
        if !info.adds_up(game) {
            return Err(damaged(FilePart::Header, "its counts do not add up"));
        }
        let (index, checksum) = BlockIndex::read(&framed, &path, &layout)?;
        drop(framed);
        Ok(Some(DepthFile { kind, path, info, layout, checksum, source, index }))
    }

    /// The error for a file whose positions contradict the counts in its description.
    pub(crate) fn inconsistent_counts(&self) -> TableError {
        TableError::damaged(&self.path, FilePart::Header, "its counts do not match its positions")
    }

    /// The error for a file with a position that should not be there.
    pub(crate) fn unexpected_position(&self) -> TableError {
        let reason = "it has a position that wins by ejecting a piece at once, or that the other file has";
        TableError::damaged(&self.path, FilePart::Header, reason)
    }

    /// The checksum of its footer, which covers the checksums of its description and blocks.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The memory for visiting a group on each thread: the packed group, and a decoded block.
    pub(crate) fn reading_memory(&self, threads: usize) -> u64 {
        // Groups differ in size: the largest has about three times the average.
        4 * self.bytes() / self.group_count().max(1) as u64 * threads.max(1) as u64
    }

    /// The location of a position in the depth files of the board; `None` if they do not cover it.
    pub(crate) fn locate(&self, game: &PushFight, position: &Position) -> Option<MoverLocation> {
        self.layout.locate(game, position)
    }

    /// A number that orders positions as in the file, also positions that the file does not have.
    /// `None` if the file does not cover the position.
    pub fn position_number(&self, game: &PushFight, position: &Position) -> Option<u64> {
        let MoverLocation { group, configuration, place } = self.locate(game, position)?;
        let block = (group * self.layout.lanes + configuration.index()) as u64;
        Some(block << 40 | (place.set << 5 | u64::from(place.anchor)) & ((1 << 40) - 1))
    }

    /// The turns of a position, if the file has it.
    ///
    /// # Errors
    /// If a block cannot be read, or is damaged.
    pub(crate) fn turns(&self, game: &PushFight, position: &Position) -> Result<Option<u16>, TableError> {
        self.locate(game, position).map_or(Ok(None), |location| self.turns_at(location))
    }

    /// Visits all its positions, up to symmetry, with their turns, until `visit` returns false.
    ///
    /// # Errors
    /// If a block cannot be read or is damaged, and the errors of `visit`.
    pub fn for_each<E: From<TableError>>(
        &self,
        mut visit: impl FnMut(Position, u16) -> Result<bool, E>,
    ) -> Result<(), E> {
        for group in 0..self.group_count() {
            if !self.visit_group(group, self.layout.board.all(), &mut visit)? {
                break;
            }
        }
        Ok(())
    }

    /// Reads all blocks. Returns their number and the errors found.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn check(&self, progress: &dyn Progress) -> Result<(u64, Vec<TableError>), TableError> {
        progress.stage(&format!("reading the {}", self.kind.name()), self.group_count() as u64);
        let mut wrong = Vec::new();
        for group in 0..self.group_count() {
            self.check_group(group, &mut wrong)?;
            progress.advance(1);
        }
        Ok(((self.group_count() * self.layout.lanes) as u64, wrong))
    }
}
