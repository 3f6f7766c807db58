//! A game with its values, if there are any: its properties and how it is opened. Its queries are
//! in `query` and `request`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_game::{Index, Seat};
use retrograde_table::{DiskStorage, Storage, directory_name, read_seconds};

use crate::game::any_game::{AnyGame, MAX_INDEX_MEMORY};
use crate::game::rules::{Position, Turn};
use crate::machine::initial_memory_limit;
use crate::store::open::{open_shades, open_table};
use crate::store::shades::ShadeFile;
use crate::{Error, StoreFacts, ValueStore};

/// The share of the allowed memory that decoded blocks of a table, or of shades, may take.
const CACHE_SHARE: u64 = 8;

/// The bytes of an open game without its tables: board, names, description.
const BARE: u64 = 64 << 10;

/// An open game, with its table if there is one.
///
/// Positions and turns are texts, as `probe` reads and prints them. The given `Seat` is the player
/// to move, unless the positions of the game determine it ([`OpenGame::to_move`]). The queries are
/// methods of this type, each in a file of `query`, `request`, `verify` or `export`.
pub struct OpenGame {
    /// The game, with its names and rules.
    pub entry: Arc<AnyGame>,
    pub(crate) values: Option<Box<dyn ValueStore>>,
    /// The shades of its draws, if they are stored for these values.
    pub(crate) shades: Option<ShadeFile>,
    /// Why an existing file of shades is ignored.
    pub(crate) shade_note: Option<String>,
    /// The location of its files, if it has any.
    pub(crate) files: Option<(Arc<dyn Storage>, PathBuf)>,
}

impl AnyGame {
    /// Opens the game, with its table if there is one.
    ///
    /// # Errors
    /// If there is a table but it is damaged, of another version or unreadable. A missing
    /// table is not an error.
    pub fn explore(self: &Arc<Self>, tables: &Path) -> Result<OpenGame, Error> {
        let mut open = self.explore_in(Arc::new(DiskStorage), tables)?;
        if let (None, Some(published)) = (&open.values, &self.published) {
            open.values = published.open(&tables.join(directory_name(open.name())))?;
        }
        Ok(open)
    }

    /// The same with a table or an archive in any storage, such as
    /// [`Memory`](retrograde_table::MemoryStorage), but not with published files.
    ///
    /// # Errors
    /// As [`AnyGame::explore`].
    pub fn explore_in(self: &Arc<Self>, storage: Arc<dyn Storage>, tables: &Path) -> Result<OpenGame, Error> {
        let name = self.game.name();
        let directory = tables.join(directory_name(&name));
        let expected = self.expectations();
        let mut values = match expected {
            Some(expected) => open_table(&storage, tables, &name, expected)?,
            None => None,
        };
        if let (None, Some((_, solver))) = (&values, self.own_archive_solver()) {
            values = solver.open(&directory, &storage)?;
        }
        let cache = initial_memory_limit() / CACHE_SHARE;
        let (mut shades, mut shade_note) = (None, None);
        if let (Some(expected), Some(values)) = (expected, &values)
            && values.facts().has_every_value()
        {
            let stamp = values.stamp();
            (shades, shade_note) = open_shades(&*storage, &directory, (&name, &stamp), expected)?;
        }
        let files = Some((storage, directory));
        let mut open = OpenGame { entry: self.clone(), values, shades, shade_note, files };
        open.limit_cache(cache);
        Ok(open)
    }
}

impl OpenGame {
    /// The canonical name.
    pub fn name(&self) -> &str {
        &self.entry.game.facts().name
    }

    /// The error for a query that needs a table.
    pub fn no_table(&self) -> Error {
        Error::NoTable { game: self.name().to_owned(), command_name: self.entry.command_name() }
    }

    /// True if there is a table.
    pub fn has_table(&self) -> bool {
        self.values.is_some()
    }

    /// Notes for the user: files of the game that cannot be used, and why.
    pub fn notes(&self) -> Vec<String> {
        let of_values = self.facts().into_iter().flat_map(|facts| facts.notes.iter().cloned());
        of_values.chain(self.shade_note.clone()).collect()
    }

    /// The facts about the files that its values come from, if there are any.
    pub fn facts(&self) -> Option<StoreFacts<'_>> {
        self.values.as_ref().map(|values| values.facts())
    }

    /// A text that identifies everything that answers depend on: the version of the rules, and the
    /// checksum of the table if there is one.
    pub fn stamp(&self) -> String {
        let values = self.values.as_ref().map_or_else(|| "no table".to_owned(), |values| values.stamp());
        let shades = self.shades.as_ref().map_or_else(String::new, |shades| format!(" {}", shades.stamp()));
        format!("{} rules {} {values}{shades}", self.name(), self.entry.game.facts().rules_version)
    }

    /// The maximum memory in bytes: its description, its tables for indices, and its cache of
    /// files. Most of that is allocated by the first query that needs it, so a program with a
    /// memory limit should check this after opening. [`Shelf`](crate::Shelf) keeps games within a
    /// limit.
    pub fn memory(&self) -> u64 {
        let files = self.values.as_ref().map_or(0, |values| values.memory())
            + self.shades.as_ref().map_or(0, |shades| shades.file.memory());
        // Without values only a plan numbers positions, and only for small games.
        let indices = self.entry.index_memory();
        let numbered = self.values.is_some() || indices <= MAX_INDEX_MEMORY;
        BARE + files + if numbered { indices } else { 0 }
    }

    /// Keeps at most `bytes` of the files in memory, for programs that have many games open.
    pub fn limit_cache(&mut self, bytes: u64) {
        if let Some(values) = &mut self.values {
            values.limit_cache(bytes);
        }
        if let Some(shades) = &mut self.shades {
            shades.file.limit_cache(bytes);
        }
    }

    /// A turn in the coordinates of the first player's view. The first player is to move unless the
    /// position determines the player.
    pub(crate) fn turn_on_board(&self, position: &Position, turn: &Turn) -> String {
        let game = &*self.entry.game;
        game.turn_on_board(position, turn, game.seat(position).unwrap_or(Seat::First))
    }

    /// Returns the seconds that it took to compute the values with this stamp, if they are known; adds a
    /// note if the file with the times cannot be used.
    pub(crate) fn recorded_seconds(&self, stamp: &str, notes: &mut Vec<String>) -> Option<f64> {
        let (storage, directory) = self.files.as_ref()?;
        read_seconds(&**storage, directory, stamp).unwrap_or_else(|error| {
            notes.push(format!("{error}; the time of the solve is unknown"));
            None
        })
    }

    pub(crate) fn stored(&self) -> Result<&dyn ValueStore, Error> {
        self.values.as_deref().ok_or_else(|| self.no_table())
    }

    /// The index of a position in the table. `None` without a table: the tables that an index needs
    /// can take seconds and hundreds of megabytes, so they are not built when there is nothing to look up.
    pub(crate) fn index_of(&self, position: &Position) -> Option<Index> {
        self.values.as_ref()?;
        self.entry.index(position)
    }

    /// The position at an index of the table.
    pub(crate) fn position_at(&self, index: Index) -> Result<Position, Error> {
        let dense = self.entry.dense().ok_or_else(|| self.no_table())?;
        dense.position(index).ok_or_else(|| self.no_position(index))
    }

    /// The text of the position at an index of the table. If `planes` are given, they are filled with its
    /// planes.
    pub(crate) fn text_at(&self, index: Index, planes: Option<&mut [u8]>) -> Result<String, Error> {
        let dense = self.entry.dense().ok_or_else(|| self.no_table())?;
        dense.text(index, planes).ok_or_else(|| self.no_position(index))
    }

    /// The error about an index of the table that no position has.
    fn no_position(&self, index: Index) -> Error {
        Error::Unsupported(format!(
            "the table of {} has a value at index {index}, but no position has this index; see `retrograde verify {}`",
            self.name(),
            self.entry.command_name()
        ))
    }

    /// Checks that the table knows turns to the end, for a query that needs them.
    pub(crate) fn require_turns(&self) -> Result<(), Error> {
        if self.facts().is_none_or(|facts| facts.has_turns) {
            return Ok(());
        }
        Err(Error::Unsupported(format!(
            "the table of {} stores only outcomes, so positions cannot be chosen by turns to the end",
            self.name()
        )))
    }
}
