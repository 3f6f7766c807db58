//! Games by name, opened once and kept: a bounded number of them, since every name that someone thinks of may be
//! asked for. Names are those of the registry only; no name leads to a file.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use quick_cache::sync::Cache;
use retrograde_explore::{About, AnyGame, Explore, Loader, Registry};
use retrograde_game::TextError;

use crate::problem::Problem;

/// Bytes of a name at the most; the longest that are built in have a third of it.
const MOST: usize = 100;

/// A game, ready for questions.
pub(crate) struct Opened {
    pub subject: Arc<dyn AnyGame>,
    /// What it is; counting positions may take a while, so it is done once.
    pub about: About,
    pub game: Box<dyn Explore>,
    /// What all answers depend on, for `ETag`: sixteen hexadecimal digits.
    pub stamp: String,
}

/// The games that can be asked for.
pub(crate) struct Games {
    pub registry: Registry,
    /// Reads nothing.
    loader: Loader,
    tables: PathBuf,
    /// By the names that were asked for and by the canonical ones.
    opened: Cache<String, Arc<Opened>>,
    /// Games are opened one at a time, so that none is opened twice.
    opening: Mutex<()>,
    /// The tables that were there when it was last looked.
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

    /// A number that changes when a table does: answers of another one are old.
    pub fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    /// The game of a name. It may be opened, so not on a thread that must not wait.
    pub fn get(&self, name: &str) -> Result<Arc<Opened>, Problem> {
        if let Some(opened) = self.opened.get(name) {
            return Ok(opened);
        }
        check(name)?;
        let subject: Arc<dyn AnyGame> = Arc::from(self.registry.find(name, &self.loader)?);
        let about = subject.about();
        let canonical = about.game.clone();
        let _one = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = match self.opened.get(&canonical) {
            Some(opened) => opened,
            None => Arc::new(self.open(subject, about)?),
        };
        self.opened.insert(canonical, Arc::clone(&opened));
        self.opened.insert(name.to_owned(), Arc::clone(&opened));
        Ok(opened)
    }

    fn open(&self, subject: Arc<dyn AnyGame>, about: About) -> Result<Opened, retrograde_explore::Error> {
        let game = Arc::clone(&subject).explore_shared(&self.tables)?;
        let version = env!("CARGO_PKG_VERSION");
        let stamp = stamp(&format!("{version} {}", game.stamp()));
        Ok(Opened { subject, about, game, stamp })
    }

    /// The games to list: those that families give as examples, then those of other tables that are there. One that
    /// cannot be opened keeps no other from being listed.
    pub fn list(&self) -> Vec<Arc<Opened>> {
        let examples = self.registry.families().iter().flat_map(|family| family.examples.iter().cloned());
        let mut list: Vec<Arc<Opened>> = Vec::new();
        for name in examples.chain(retrograde_explore::tables_in(&self.tables)) {
            if let Ok(opened) = self.get(&name)
                && !list.iter().any(|known| known.about.game == opened.about.game)
            {
                list.push(opened);
            }
        }
        list
    }

    /// The epoch ends where other tables are there than before.
    fn relist(&self) {
        let names = retrograde_explore::tables_in(&self.tables);
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if *listed != names {
            *listed = names;
            self.epoch.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// Opens again what has another table than before, or one at last.
    pub fn refresh(&self) {
        self.relist();
        let known: Vec<(String, Arc<Opened>)> = self.opened.iter().collect();
        let mut looked: HashMap<String, Option<Arc<Opened>>> = HashMap::new();
        for (name, old) in known {
            // A game that is kept under two names is opened once.
            let new = looked.entry(old.game.name().to_owned()).or_insert_with(|| self.renewed(&old));
            if let Some(new) = new {
                self.opened.insert(name, Arc::clone(new));
                self.epoch.fetch_add(1, Ordering::AcqRel);
            }
        }
    }

    /// The game with its present table; `None` if that is as it was, or cannot be opened.
    fn renewed(&self, old: &Opened) -> Option<Arc<Opened>> {
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

/// Sixteen hexadecimal digits that tell a text.
pub(crate) fn stamp(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

/// Refuses names that could lead to a file, or that only cost memory: whatever a family makes of them.
fn check(name: &str) -> Result<(), Problem> {
    const EXPECTED: &str = "a letter, a digit or one of `:,=-_.+`; boards from files are not for the web";
    if name.len() > MOST {
        let start: String = name.chars().take(MOST).collect();
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
            assert_eq!(check(bad).unwrap_err().status, 404, "{bad}");
        }
        assert!(check(&"a".repeat(MOST + 1)).is_err());
    }
}
