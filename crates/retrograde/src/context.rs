//! The state that all commands share: the games, the options of every command, and how a command
//! ends.

use std::path::Path;
use std::sync::Arc;

use retrograde_explore::{
    AnyGame, Explore, Loader, Registry, Resources, SolveOptions, TableFolders, Verdict,
};
use retrograde_solve::Progress;

use crate::tables::Site;

/// The registry of games and the options of every command.
pub(crate) struct Context {
    pub(crate) registry: Registry,
    pub(crate) loader: Loader,
    /// The folders with tables; the one with the address of the site, if there is one.
    pub(crate) tables: TableFolders,
    /// The site that the folder's name is the address of, if it is one.
    pub(crate) site: Option<Site>,
    pub(crate) threads: usize,
    /// Bytes of memory to use at most, if the user says so.
    pub(crate) memory: Option<u64>,
    pub(crate) json: bool,
    /// Whether standard output is a terminal that shows colours.
    pub(crate) color: bool,
}

/// The exit status of a command that ran to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// The question was answered.
    Success,
    /// A check did not hold, or some of several inputs were unreadable.
    Failure,
    /// The answer is that nothing is known or that nothing was found.
    NothingFound,
}

impl Exit {
    /// The status of an answer that is a value.
    pub(crate) fn of_value(value: Verdict) -> Exit {
        if value.known().is_some() { Exit::Success } else { Exit::NothingFound }
    }

    /// The number that the program ends with. `README.md` lists them.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Failure => 1,
            Exit::NothingFound => 3,
        }
    }
}

/// The reason why a command failed.
pub(crate) type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The result of a command.
pub(crate) type CommandResult = Result<Exit, BoxError>;

impl Context {
    /// The options of work that takes the threads and the memory of every command.
    pub(crate) fn solve_options(&self) -> SolveOptions {
        SolveOptions { threads: self.threads, memory: self.memory, ..SolveOptions::default() }
    }

    /// The same for work that reads all of a table.
    pub(crate) fn resources<'a>(&self, progress: &'a dyn Progress) -> Resources<'a> {
        Resources::new(self.threads, self.memory, progress)
    }

    /// The game of a name.
    pub(crate) fn subject(&self, name: &str) -> Result<Box<dyn AnyGame>, BoxError> {
        Ok(self.registry.find(name, &self.loader)?)
    }

    /// Asks a game, with its table if there is one.
    pub(crate) fn with_game<T>(
        &self,
        name: &str,
        ask: impl FnOnce(&dyn Explore) -> Result<T, BoxError>,
    ) -> Result<T, BoxError> {
        let subject = self.subject(name)?;
        if let Some(site) = &self.site {
            let storage = Arc::new(site.storage()?.clone());
            return ask(&*Arc::<dyn AnyGame>::from(subject).explore_in(storage, self.tables.first())?);
        }
        let game = subject.explore(self.folder_of(&*subject)?)?;
        ask(&*game)
    }

    /// The same game to keep, with its table in other folders if they are named.
    pub(crate) fn open(&self, name: &str, tables: Option<&str>) -> Result<Arc<dyn Explore>, BoxError> {
        let subject: Arc<dyn AnyGame> = self.subject(name)?.into();
        let others = tables.map(|tables| TableFolders::choose(&[tables], "the option Tables"));
        let other_site = others.as_ref().map(Site::named).transpose()?.flatten();
        let (tables, site) = match &others {
            Some(others) => (others, other_site.as_ref()),
            None => (&self.tables, self.site.as_ref()),
        };
        if let Some(site) = site {
            let storage = Arc::new(site.storage()?.clone());
            return Ok(subject.explore_in(storage, tables.first())?.into());
        }
        tables.check()?;
        Ok(tables.explore_shared(subject)?.into())
    }

    /// The folder with the table of a game.
    ///
    /// # Errors
    /// If a folder that was named does not exist, or a table cannot be opened.
    pub(crate) fn folder_of(&self, game: &dyn AnyGame) -> Result<&Path, BoxError> {
        self.tables.check()?;
        Ok(self.tables.of(game)?)
    }
}
