//! The state that all commands share: the games, the options of every command, and how a command
//! ends.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_explore::{AnyGame, Explore, Loader, Registry, Verdict};

use crate::tables::Site;

/// The registry of games and the options of every command.
pub(crate) struct Context {
    pub(crate) registry: Registry,
    pub(crate) loader: Loader,
    /// The folder with the tables.
    pub(crate) tables: PathBuf,
    /// The site that the folder's name is the address of, if it is one.
    pub(crate) site: Option<Site>,
    pub(crate) threads: usize,
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
            return ask(&*Arc::<dyn AnyGame>::from(subject).explore_in(storage, &self.tables)?);
        }
        let game = subject.explore(&self.tables)?;
        ask(&*game)
    }

    /// The same game for those who keep it, with its table in another folder if one is named.
    pub(crate) fn open(&self, name: &str, tables: Option<&Path>) -> Result<Arc<dyn Explore>, BoxError> {
        let subject: Arc<dyn AnyGame> = self.subject(name)?.into();
        let named = tables.and_then(Site::named);
        let site = match tables {
            Some(_) => named.as_ref(),
            None => self.site.as_ref(),
        };
        let tables = tables.unwrap_or(&self.tables);
        let game = match site {
            Some(site) => subject.explore_in(Arc::new(site.storage()?.clone()), tables)?,
            None => subject.explore_shared(tables)?,
        };
        Ok(game.into())
    }
}
