//! Opens games by name and keeps them open. Clients may ask for any name, so the number of open
//! games is bounded. Only the registry's names are accepted; no name leads to a file.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use quick_cache::sync::Cache;
use retrograde_explore::{About, AnyGame, Explore, Loader, Registry};
use retrograde_game::TextError;

use crate::message::refusal::Refusal;

/// Longest name in bytes, three times that of the longest built-in name.
const MAX_NAME: usize = 100;

/// A game, ready for questions.
pub(crate) struct OpenGame {
    pub subject: Arc<dyn AnyGame>,
    /// Description of the game. Counting its positions may take a while, so this is done once.
    pub about: About,
    pub game: Box<dyn Explore>,
    /// Identifies the rules and the table in an `ETag`: sixteen hexadecimal digits.
    pub stamp: String,
}

/// The games that can be asked for.
pub(crate) struct Games {
    pub registry: Registry,
    /// Reads no files.
    loader: Loader,
    tables: PathBuf,
    /// Open games by requested name and by canonical name.
    opened: Cache<String, Arc<OpenGame>>,
    /// Held while a game is opened, so that none is opened twice.
    opening: Mutex<()>,
    /// Tables seen by the last look.
    listed: Mutex<Vec<String>>,
    /// Changes when a table does.
    epoch: AtomicU64,
}

impl Games {
    pub fn new(registry: Registry, tables: PathBuf, most: usize) -> Games {
        Games {
            registry,
            loader: Loader::none(),
            tables,
            opened: Cache::new(most.max(1)),
            opening: Mutex::new(()),
            listed: Mutex::new(Vec::new()),
            epoch: AtomicU64::new(0),
        }
    }

    /// Changes when a table does. Answers of an earlier epoch are stale.
    pub fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    /// The game of a name. May open it, so call it only on a thread that may block.
    pub fn get(&self, name: &str) -> Result<Arc<OpenGame>, Refusal> {
        if let Some(opened) = self.opened.get(name) {
            return Ok(opened);
        }
        check(name)?;
        let subject: Arc<dyn AnyGame> = Arc::from(self.registry.find(name, &self.loader)?);
        let about = subject.about();
        let canonical = about.game.clone();
        let _one = self.opening.lock();
        let opened = match self.opened.get(&canonical) {
            Some(opened) => opened,
            None => Arc::new(self.open(subject, about)?),
        };
        self.opened.insert(canonical, Arc::clone(&opened));
        self.opened.insert(name.to_owned(), Arc::clone(&opened));
        Ok(opened)
    }

    fn open(&self, subject: Arc<dyn AnyGame>, about: About) -> Result<OpenGame, retrograde_explore::Error> {
        let game = Arc::clone(&subject).explore_shared(&self.tables)?;
        let version = env!("CARGO_PKG_VERSION");
        let stamp = stamp(&format!("{version} {}", game.stamp()));
        Ok(OpenGame { subject, about, game, stamp })
    }

    /// The games to list: the families' examples, then games of further tables. Skips games that
    /// cannot be opened.
    pub fn list(&self) -> Vec<Arc<OpenGame>> {
        let examples = self.registry.families().iter().flat_map(|family| family.examples.iter().cloned());
        let mut list: Vec<Arc<OpenGame>> = Vec::new();
        for name in examples.chain(retrograde_explore::tables_in(&self.tables)) {
            if let Ok(opened) = self.get(&name)
                && !list.iter().any(|known| known.about.game == opened.about.game)
            {
                list.push(opened);
            }
        }
        list
    }

    /// Begins a new epoch if tables came or went.
    fn relist(&self) {
        let names = retrograde_explore::tables_in(&self.tables);
        let mut listed = self.listed.lock();
        if *listed != names {
            *listed = names;
            self.epoch.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// Opens games again whose table is new or has changed.
    pub fn refresh(&self) {
        self.relist();
        let known: Vec<(String, Arc<OpenGame>)> = self.opened.iter().collect();
        let mut looked: HashMap<String, Option<Arc<OpenGame>>> = HashMap::new();
        for (name, old) in known {
            // A game that is cached under two names is opened once.
            let new = looked.entry(old.game.name().to_owned()).or_insert_with(|| self.renewed(&old));
            if let Some(new) = new {
                self.opened.insert(name, Arc::clone(new));
                self.epoch.fetch_add(1, Ordering::AcqRel);
            }
        }
    }

    /// The game with its present table; `None` if that is unchanged or cannot be opened.
    fn renewed(&self, old: &OpenGame) -> Option<Arc<OpenGame>> {
        match self.open(Arc::clone(&old.subject), old.about.clone()) {
            Ok(new) if new.stamp == old.stamp => None,
            Ok(new) => {
                tracing::info!(game = new.game.name(), "its table is new");
                Some(Arc::new(new))
            }
            Err(error) => {
                tracing::warn!(game = old.game.name(), %error, "its table cannot be opened again");
                None
            }
        }
    }
}

/// Sixteen hexadecimal digits that identify a text.
pub(crate) fn stamp(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

/// Refuses names that could lead to a file or that waste memory, before any family sees them.
fn check(name: &str) -> Result<(), Refusal> {
    const EXPECTED: &str = "a letter, a digit or one of `:,=-_.+`; boards from files are not for the web";
    if name.len() > MAX_NAME {
        let start: String = name.chars().take(MAX_NAME).collect();
        return Err(TextError::impossible("game", &start, "this is longer than the name of any game").into());
    }
    let stray = name.chars().position(|c| !c.is_ascii_alphanumeric() && !":,=-_.+".contains(c));
    if let Some(at) = stray {
        return Err(TextError::unexpected("game", name, at, EXPECTED).into());
    }
    if name.split([':', ',', '=']).any(|part| part.ends_with(".board") || part.contains("..")) {
        return Err(TextError::impossible("game", name, "boards from files are not for the web").into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_refused() {
        for good in ["tactics", "tactics:5x4,line=3,normal", "pushfight:2k3p"] {
            assert!(check(good).is_ok(), "{good}");
        }
        for bad in ["pushfight:/etc/passwd", "pushfight:a\\b", "pushfight:x.board", "a:..", "a b", "é", "a\0"]
        {
            assert_eq!(check(bad).unwrap_err().0.status, 404, "{bad}");
        }
        assert!(check(&"a".repeat(MAX_NAME + 1)).is_err());
    }
}
