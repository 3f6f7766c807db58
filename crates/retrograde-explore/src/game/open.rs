//! A game with its values, if there are any. It knows no question: those are functions of their
//! own.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use retrograde_game::{Game, Index, Seat, Show};
use retrograde_table::{Storage, directory_name};

use crate::Error;
use crate::game::entry::Entry;
use crate::machine::allowed_memory;
use crate::store::open::{open_shades, open_table};
use crate::store::shades::ShadeFile;
use crate::store::value_store::ValueStore;

/// The share of the allowed memory that decoded blocks of a table, or of shades, may take.
const CACHE_SHARE: u64 = 8;

/// An entry, for as long as someone else has it or for as long as it is wanted.
pub(crate) enum EntryRef<'a, G: Game + Show + 'static> {
    Borrowed(&'a Entry<G>),
    Shared(Arc<Entry<G>>),
}

impl<G: Game + Show + 'static> Deref for EntryRef<'_, G> {
    type Target = Entry<G>;

    fn deref(&self) -> &Entry<G> {
        match self {
            EntryRef::Borrowed(entry) => entry,
            EntryRef::Shared(entry) => entry,
        }
    }
}

/// A game that is ready for questions.
pub(crate) struct OpenGame<'a, G: Game + Show + 'static> {
    pub entry: EntryRef<'a, G>,
    pub name: String,
    pub values: Option<Box<dyn ValueStore>>,
    /// The shades of its draws, where they have been found for these values.
    pub shades: Option<ShadeFile>,
    /// Why the file of shades that is there is left aside.
    pub shade_note: Option<String>,
}

impl<'a, G: Game + Show + 'static> OpenGame<'a, G> {
    /// Fails if a player can move several times in a row, which `question` cannot handle.
    pub fn need_alternation(&self, question: &'static str) -> Result<(), Error> {
        Ok(retrograde_solve::need_alternation(&self.entry.game, question)?)
    }

    /// A turn in the coordinates of the first player's view. The first player is to move unless the
    /// position tells otherwise.
    pub fn turn_on_board(&self, position: &G::Position, turn: &G::Turn) -> String {
        let game = &self.entry.game;
        game.turn_on_board(position, turn, game.seat(position).unwrap_or(Seat::First))
    }

    /// With what was solved here, else with files that others have published.
    pub fn open(entry: EntryRef<'a, G>, storage: &Arc<dyn Storage>, tables: &Path) -> Result<Self, Error> {
        let mut open = OpenGame::open_own(entry, storage, tables)?;
        if let (None, Some(published)) = (&open.values, &open.entry.published) {
            let directory = tables.join(directory_name(&open.name));
            open.values = published.open(&open.entry.game, &directory)?;
        }
        Ok(open)
    }

    /// With what was solved here, if anything was.
    pub fn open_own(
        entry: EntryRef<'a, G>,
        storage: &Arc<dyn Storage>,
        tables: &Path,
    ) -> Result<Self, Error> {
        let name = entry.game.name();
        let mut values = match entry.expectations() {
            Some(expected) => open_table(storage, tables, &name, expected)?,
            None => None,
        };
        if let (None, Some((_, solver))) = (&values, entry.own_archive_solver()) {
            values = solver.open(&entry.game, &tables.join(directory_name(&name)), storage)?;
        }
        let cache = allowed_memory(None) / CACHE_SHARE;
        if let Some(values) = &mut values {
            values.limit_cache(cache);
        }
        let mut open = OpenGame { entry, name, values, shades: None, shade_note: None };
        if let (Some(expected), Some(values)) = (open.entry.expectations(), &open.values)
            && values.has_all_positions()
        {
            let directory = tables.join(directory_name(&open.name));
            let stamp = values.stamp();
            (open.shades, open.shade_note) =
                open_shades(&**storage, &directory, (&open.name, &stamp), expected)?;
            if let Some(shades) = &mut open.shades {
                shades.limit_cache(cache);
            }
        }
        Ok(open)
    }

    pub fn no_table(&self) -> Error {
        Error::NoTable { game: self.name.clone(), command_name: self.entry.command_name() }
    }

    pub fn stored(&self) -> Result<&dyn ValueStore, Error> {
        self.values.as_deref().ok_or_else(|| self.no_table())
    }

    /// The index of a position in the table. `None` without a table: the tables that an index needs
    /// can take seconds and hundreds of megabytes, so they are not built when there is nothing to look up.
    pub fn index_of(&self, position: &G::Position) -> Option<Index> {
        self.values.as_ref()?;
        self.entry.index(position)
    }

    /// The position at an index of the table.
    pub fn position_at(&self, index: Index) -> Result<G::Position, Error> {
        let dense = self.entry.dense.ok_or_else(|| self.no_table())?;
        dense.position(&self.entry.game, index).ok_or_else(|| {
            Error::Unsupported(format!(
                "the table of {} has a value at index {index}, which is no position; `retrograde verify {}` tells more",
                self.name,
                self.entry.command_name()
            ))
        })
    }

    /// Whether the table knows turns to the end.
    pub fn has_turns(&self) -> bool {
        self.values.as_ref().is_some_and(|values| values.has_turns())
    }

    /// The error of who asks a table of outcomes for turns.
    pub fn no_turns(&self) -> Error {
        Error::Unsupported(format!(
            "the table of {} knows outcomes only, so there is nothing to choose by turns to the end",
            self.name
        ))
    }
}
