//! A solved board, open for lookups: its losses, its wins if it has them, and a table of the positions
//! before the first push.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use retrograde_game::{Dense, Game, Index, Knowledge, Stored, Turns, Value};
use retrograde_pushfight::{Position, PushFight};
use retrograde_solve::Progress;
use retrograde_table::{DiskStorage, Expectations, FilePart, ReadOptions, Storage, Table, TableError};

use crate::files::depth::file::DepthFile;
use crate::files::depth::kind::DepthFileKind;
use crate::files::implausible_counts::ImplausiblePositions;
use crate::files::solution_info::SolutionInfo;

/// The name of the table of positions before the first push, in the game's directory.
pub(crate) const PLACEMENTS: &str = "placements";

/// A solved board, open for lookups.
pub struct Solution {
    losses: DepthFile,
    wins: Option<DepthFile>,
    placements: Option<Table>,
    pub(crate) implausible: OnceLock<ImplausiblePositions>,
    notes: Vec<String>,
}

/// Opens the table of positions before the first push in a directory.
pub(crate) fn open_placements(
    game: &PushFight,
    directory: &Path,
    storage: &Arc<dyn Storage>,
) -> Result<Table, TableError> {
    let expected = Expectations {
        rules_version: PushFight::RULES_VERSION,
        index_version: PushFight::INDEX_VERSION,
        index_count: game.start_count().into(),
    };
    let options = ReadOptions { storage: storage.clone(), ..ReadOptions::default() };
    Table::open_with(directory, PLACEMENTS, expected, &options)
}

impl Solution {
    /// Opens a solution that [`solve_into`](crate::solve_into) wrote; `None` if it does not exist.
    ///
    /// # Errors
    /// If it is damaged, or belongs to another game or version.
    pub fn open(game: &PushFight, directory: &Path) -> Result<Option<Solution>, TableError> {
        Solution::open_in(game, directory, &(Arc::new(DiskStorage) as Arc<dyn Storage>))
    }

    /// Like [`Solution::open`], in a given storage.
    ///
    /// # Errors
    /// The errors of [`Solution::open`].
    pub fn open_in(
        game: &PushFight,
        directory: &Path,
        files: &Arc<dyn Storage>,
    ) -> Result<Option<Solution>, TableError> {
        let storage = &**files;
        let Some(mut losses) = DepthFile::open(DepthFileKind::Losses, game, directory, storage)? else {
            return Ok(None);
        };
        let placements = match losses.info.start {
            Some(_) => Some(open_placements(game, directory, files).map_err(|error| match error {
                // The losses are written last, so a table of placements that is missing was removed.
                TableError::NotFound { .. } | TableError::Incomplete { .. } => {
                    let reason = "its manifest is missing";
                    TableError::damaged(&directory.join(PLACEMENTS), FilePart::Whole, reason)
                }
                error => error,
            })?),
            None => None,
        };
        let wins = losses.wins(game, directory, storage)?;
        let mut notes = Vec::new();
        crate::files::timings::read(directory, storage, &mut losses.info, &mut notes);
        let sum = losses.checksum();
        let implausible = crate::files::implausible_counts::read(game, directory, storage, sum, &mut notes);
        Ok(Some(Solution {
            losses,
            wins,
            placements,
            notes,
            implausible: implausible.map(OnceLock::from).unwrap_or_default(),
        }))
    }

    /// The description of the solution.
    pub fn info(&self) -> &SolutionInfo {
        &self.losses.info
    }

    /// Notes for the user about sidecar files that were ignored, with the reasons.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The most memory that it may use, in bytes.
    pub fn memory(&self) -> u64 {
        let files = [Some(&self.losses), self.wins.as_ref()].into_iter().flatten().map(DepthFile::memory);
        files.sum::<u64>() + self.placements.as_ref().map_or(0, Table::memory)
    }

    /// Limits the cached blocks to this many bytes.
    pub fn limit_cache(&mut self, bytes: u64) {
        let share = bytes / 3;
        self.losses.limit_cache(share);
        if let Some(wins) = &mut self.wins {
            wins.limit_cache(share);
        }
        if let Some(placements) = &mut self.placements {
            placements.limit_cache(share);
        }
    }

    /// The losses.
    pub fn losses(&self) -> &DepthFile {
        &self.losses
    }

    /// The wins, if it has them.
    pub fn wins(&self) -> Option<&DepthFile> {
        self.wins.as_ref()
    }

    /// Returns what the files know about a position, without a search of its turns; `None` if they do
    /// not cover it.
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged.
    pub fn get(&self, game: &PushFight, position: &Position) -> Result<Option<Knowledge>, TableError> {
        if position.anchor.is_empty()
            && let Some(table) = &self.placements
            && let Some(number) = game.start_number(position)
        {
            return Ok(match table.get(Index(number))? {
                Stored::Known(knowledge) => Some(knowledge),
                Stored::Nothing => None,
            });
        }
        let Some(location) = self.losses.locate(game, position) else { return Ok(None) };
        let exact = |value| Ok(Some(Knowledge::Exact(value)));
        // Most positions eject a piece at once; they are in no file.
        if self.wins.is_some() && game.wins_now(position) {
            return exact(Value::Win(Turns(1)));
        }
        if let Some(turns) = self.losses.turns_at(location)? {
            return exact(Value::Loss(Turns(turns)));
        }
        let Some(wins) = &self.wins else { return Ok(Some(Knowledge::NotLost)) };
        match wins.turns_at(location)? {
            Some(turns) => exact(Value::Win(Turns(turns))),
            // The file does not have wins before the first push that leave the opponent without a push.
            None if position.anchor.is_empty() || self.info().horizon.is_some() => {
                Ok(Some(Knowledge::NotLost))
            }
            None => exact(Value::Draw),
        }
    }

    /// Whether [`Solution::prepare`] is useful, which it is not for local files.
    pub fn needs_prepare(&self) -> bool {
        self.losses.needs_prepare() || self.wins.as_ref().is_some_and(DepthFile::needs_prepare)
    }

    /// Announces that these positions will be looked up next, without their turns. Of remote files,
    /// first the pages and then the blocks that they need are fetched, each in one go.
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged; [`std::io::ErrorKind::WouldBlock`] if data are still
    /// being fetched, after everything needed has been requested.
    pub fn prepare(&self, game: &PushFight, positions: &[Position]) -> Result<(), TableError> {
        let files: Vec<&DepthFile> = [Some(&self.losses), self.wins.as_ref()].into_iter().flatten().collect();
        let asked = positions.iter().filter(|position| self.is_in_files(game, position));
        let locations: Vec<_> = asked.filter_map(|position| self.losses.locate(game, position)).collect();
        // Both files are asked before an error is returned.
        let pages: Vec<_> = files.iter().map(|file| file.prepare_pages(&locations)).collect();
        pages.into_iter().collect::<Result<(), TableError>>()?;
        let blocks: Vec<_> = files.iter().map(|file| file.prepare_blocks(&locations)).collect();
        blocks.into_iter().collect()
    }

    /// Whether a lookup of a position may read the files of losses and wins. (Many positions win at
    /// once by the rules, but checking that takes longer than fetching some more blocks.)
    fn is_in_files(&self, game: &PushFight, position: &Position) -> bool {
        let in_placements =
            position.anchor.is_empty() && self.placements.is_some() && game.start_number(position).is_some();
        !in_placements && game.result(position).is_none()
    }

    /// Whether a position is lost. Implausible positions are in no file, and count as not lost.
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged.
    pub fn is_lost(&self, game: &PushFight, position: &Position) -> Result<bool, TableError> {
        match self.losses.locate(game, position) {
            Some(location) if !position.anchor.is_empty() => Ok(self.losses.turns_at(location)?.is_some()),
            _ => {
                let known = self.get(game, position)?;
                Ok(known.is_some_and(|known| known.outcome() == Some(retrograde_game::Outcome::Loss)))
            }
        }
    }

    /// Returns the value of a position. Searches its turns if only they show a win, and also the turns
    /// after these if the position is implausible. `None` if the files do not cover it.
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged.
    pub fn value(&self, game: &PushFight, position: &Position) -> Result<Option<Knowledge>, TableError> {
        let known = self.get(game, position)?;
        if known != Some(Knowledge::NotLost) && (known.is_some() || position.anchor.is_empty()) {
            return Ok(known);
        }
        let exact = |value| Ok(Some(Knowledge::Exact(value)));
        if game.wins_now(position) {
            return exact(Value::Win(Turns(1)));
        }
        let mut failed = None;
        let (mut turns, mut fastest) = (false, None::<u16>);
        let _ = game.each_successor(position, |next| {
            turns = true;
            // A position with a push is never lost in fewer than 2 turns.
            if fastest == Some(2) && game.pushes_at_once(&next) {
                return ControlFlow::Continue(());
            }
            match self.losses.turns(game, &next) {
                Ok(Some(turns)) => fastest = Some(fastest.map_or(turns, |fastest| fastest.min(turns))),
                Ok(None) => {}
                Err(error) => {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        if let Some(error) = failed {
            return Err(error);
        }
        match fastest {
            _ if !turns => return exact(Value::Loss(Turns(0))),
            Some(turns) => return exact(Value::Win(Turns(turns + 1))),
            None if self.info().horizon.is_some() => return Ok(known.or(Some(Knowledge::Unknown))),
            None if known.is_some() => return exact(Value::Draw),
            None => {}
        }
        // The position is lost if all turns lead to wins; these positions are plausible.
        let (mut longest, mut drawn) = (0, false);
        let _ = game.each_successor(position, |next| {
            match self.value(game, &next) {
                Ok(Some(Knowledge::Exact(Value::Win(turns)))) => {
                    longest = longest.max(turns.0);
                    return ControlFlow::Continue(());
                }
                Ok(_) => drawn = true,
                Err(error) => failed = Some(error),
            }
            ControlFlow::Break(())
        });
        match failed {
            Some(error) => Err(error),
            None if drawn => exact(Value::Draw),
            None => exact(Value::Loss(Turns(longest + 1))),
        }
    }

    /// Whether the new table of placements in a directory has the same values as this solution's table;
    /// true if it has no table.
    pub(crate) fn has_placements_of(
        &self,
        game: &PushFight,
        directory: &Path,
        storage: &Arc<dyn Storage>,
    ) -> Result<bool, TableError> {
        let hash = |table: &Table| table.manifest().values.blake3.clone();
        let Some(placements) = &self.placements else { return Ok(true) };
        Ok(hash(&open_placements(game, directory, storage)?) == hash(placements))
    }

    /// Reads everything once. Returns the number of blocks and the errors found.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn check(&self, progress: &dyn Progress) -> Result<(u64, Vec<TableError>), TableError> {
        let (mut blocks, mut wrong) = self.losses.check(progress)?;
        if let Some(wins) = &self.wins {
            let (more, also) = wins.check(progress)?;
            blocks += more;
            wrong.extend(also);
        }
        if let Some(placements) = &self.placements {
            let report = placements.check_files(|_, _| ())?;
            blocks += report.blocks;
            wrong.extend(report.faults);
        }
        Ok((blocks, wrong))
    }
}
