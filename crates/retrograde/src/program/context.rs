//! The state that all commands share: the games and the global options.

use std::path::Path;
use std::sync::Arc;

use retrograde_explore::{AnyGame, Loader, OpenGame, Registry, Resources, SolveOptions, TableFolders};
use retrograde_solve::Progress;

use crate::output::terminal::say_note;
use crate::program::exit::BoxError;
use crate::tables::Site;

/// The registry of games and the global options.
pub(crate) struct Context {
    pub(crate) registry: Registry,
    pub(crate) loader: Loader,
    /// The folders with tables, or one whose path is the address of the site.
    pub(crate) tables: TableFolders,
    /// The site that `--tables` names, if it names one.
    pub(crate) site: Option<Site>,
    pub(crate) threads: usize,
    /// The memory limit in bytes, if the user set one.
    pub(crate) memory: Option<u64>,
    pub(crate) json: bool,
    /// Whether standard output is a terminal that shows colours.
    pub(crate) color: bool,
}

impl Context {
    /// Solve options with the global number of threads and memory limit.
    pub(crate) fn solve_options(&self) -> SolveOptions {
        SolveOptions { threads: self.threads, memory: self.memory, ..SolveOptions::default() }
    }

    /// Resources with the global options, for work that reads a whole table.
    pub(crate) fn resources<'a>(&self, progress: &'a dyn Progress) -> Resources<'a> {
        Resources::new(self.threads, self.memory, progress)
    }

    /// Finds a game by name.
    pub(crate) fn subject(&self, name: &str) -> Result<Arc<AnyGame>, BoxError> {
        Ok(self.registry.find(name, &self.loader)?)
    }

    /// Opens a game, with its table if there is one.
    pub(crate) fn open(&self, name: &str) -> Result<Arc<OpenGame>, BoxError> {
        self.open_in(name, None)
    }

    /// The same; `tables` replaces the folders of `--tables`.
    pub(crate) fn open_in(&self, name: &str, tables: Option<&str>) -> Result<Arc<OpenGame>, BoxError> {
        let subject: Arc<AnyGame> = self.subject(name)?;
        let others = tables.map(|tables| TableFolders::choose(&[tables], "the option Tables"));
        let other_site = others.as_ref().map(Site::named).transpose()?.flatten();
        let (tables, site) = match &others {
            Some(others) => (others, other_site.as_ref()),
            None => (&self.tables, self.site.as_ref()),
        };
        let game = match site {
            Some(site) => {
                let storage = Arc::new(site.storage()?.clone());
                subject.explore_in(storage, &Site::shown(tables.first()))?
            }
            None => {
                tables.check()?;
                tables.explore(&subject)?
            }
        };
        game.notes().iter().for_each(|note| say_note(note));
        Ok(game.into())
    }

    /// The folder with the table of a game.
    ///
    /// # Errors
    /// If a folder that was named does not exist, or a table cannot be opened.
    pub(crate) fn folder_of(&self, game: &Arc<AnyGame>) -> Result<&Path, BoxError> {
        self.tables.check()?;
        Ok(self.tables.of(game)?)
    }
}
