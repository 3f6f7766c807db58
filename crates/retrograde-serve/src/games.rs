//! Opens games by name and keeps them open, bounded in number and memory, since clients may request any
//! name; the least recently used game is closed first. Several games can be opened in parallel, but each
//! only once, no matter how many clients request it, and requests for open games never wait for others to
//! be opened. Only names in the registry are accepted; no name leads to a file.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::StatusCode;
use parking_lot::Mutex;
use retrograde_explore::{About, AnyGame, Loader, OpenGame, Registry, Shelf, TableFolders};
use retrograde_game::{TextError, board_file_stem};
use tokio::sync::watch;

use crate::config::Limits;
use crate::limits::client::Client;
use crate::limits::pool::{Effort, Pool};
use crate::message::refusal::Refusal;

/// The maximum length of a name in bytes, three times the longest built-in name.
const MAX_NAME: usize = 100;
/// The share of all memory that one game may use to cache parts of its files.
const CACHE_PART: u64 = 8;

/// An open game, with what the server caches about it.
pub(crate) struct ServedGame {
    pub subject: Arc<AnyGame>,
    /// The description of the game, computed once since counting its positions may take a while.
    pub about: About,
    pub game: OpenGame,
    /// Identifies the rules and the table in an `ETag`: sixteen hexadecimal digits.
    pub stamp: String,
    /// The maximum memory that it can use, in bytes.
    memory: u64,
}

/// The result of opening a game.
type Opening = Result<Arc<ServedGame>, Refusal>;

/// The open games.
struct Open {
    /// By canonical name.
    shelf: Shelf<Arc<ServedGame>>,
    /// Canonical names by alternative names.
    aliases: HashMap<String, String>,
    /// Games that are being opened, by requested name.
    opening: HashMap<String, watch::Receiver<Option<Opening>>>,
}

/// The average number of remembered names per open game.
const ALIASES_PER_GAME: usize = 8;

impl Open {
    fn get(&mut self, name: &str) -> Option<Arc<ServedGame>> {
        let canonical = self.aliases.get(name).map_or(name, String::as_str);
        self.shelf.get(canonical).cloned()
    }

    fn keep(&mut self, name: &str, game: &Arc<ServedGame>) {
        let canonical = game.about.game.clone();
        if name != canonical {
            self.aliases.insert(name.to_owned(), canonical.clone());
        }
        self.shelf.keep(canonical, Arc::clone(game), game.memory);
        let Open { shelf, aliases, .. } = self;
        if aliases.len() > ALIASES_PER_GAME * shelf.games().count() {
            aliases.clear();
        }
        aliases.retain(|_, canonical| shelf.has(canonical));
    }
}

/// The available games.
pub(crate) struct Games {
    pub registry: Registry,
    /// A loader that reads no files.
    loader: Loader,
    tables: TableFolders,
    open: Mutex<Open>,
    /// The maximum memory of all open games in bytes.
    memory: u64,
    /// The tables found by the last check, with their stamps.
    listed: Mutex<Vec<(String, Option<String>)>>,
    /// Notes about files that were logged.
    noted: Mutex<HashSet<String>>,
    /// Changes when a table changes.
    epoch: AtomicU64,
}

impl Games {
    pub fn new(registry: Registry, tables: TableFolders, limits: &Limits) -> Games {
        Games {
            registry,
            loader: Loader::none(),
            tables,
            open: Mutex::new(Open {
                shelf: Shelf::new(limits.games, limits.games_memory),
                aliases: HashMap::new(),
                opening: HashMap::new(),
            }),
            memory: limits.games_memory,
            listed: Mutex::new(Vec::new()),
            noted: Mutex::default(),
            epoch: AtomicU64::new(0),
        }
    }

    /// Changes when a table changes. Answers of an earlier epoch are stale.
    pub fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    /// The memory that all open games may need, in bytes.
    pub fn memory(&self) -> u64 {
        self.open.lock().shelf.memory()
    }

    /// The game with a name. If it is not open, a worker of the client opens it, also for other clients that
    /// request it in the meantime.
    pub async fn get(self: &Arc<Self>, pool: &Pool, client: Client, name: String) -> Opening {
        loop {
            let (mut opening, own) = {
                let mut open = self.open.lock();
                if let Some(game) = open.get(&name) {
                    return Ok(game);
                }
                // Ignores an abandoned attempt to open it.
                match open.opening.get(&name).filter(|opening| opening.has_changed().is_ok()) {
                    Some(opening) => (opening.clone(), false),
                    None => {
                        check(&name)?;
                        let (done, opening) = watch::channel(None);
                        open.opening.insert(name.clone(), opening.clone());
                        // Continues if the client disconnects, since others may wait for the game.
                        tokio::spawn(Arc::clone(self).open_for_all(pool.clone(), client, name.clone(), done));
                        (opening, true)
                    }
                }
            };
            let opened = opening.wait_for(Option::is_some).await;
            let opened = opened.ok().and_then(|opened| opened.clone());
            match opened.unwrap_or_else(|| Err(Refusal::internal())) {
                // The refusal was for another client.
                Err(Refusal(problem)) if !own && matches!(problem.status, 429 | 503) => {}
                opened => return opened,
            }
        }
    }

    /// Opens a game and notifies all that wait for it.
    async fn open_for_all(
        self: Arc<Self>,
        pool: Pool,
        client: Client,
        name: String,
        done: watch::Sender<Option<Opening>>,
    ) {
        let (games, wanted) = (Arc::clone(&self), name.clone());
        // Stored by the worker, which may take longer than clients wait.
        let open = move |_| {
            let game = games.open_named(&wanted)?;
            games.open.lock().keep(&wanted, &game);
            Ok(game)
        };
        let opened = pool.run(client, Effort::Opening, open).await;
        self.open.lock().opening.remove(&name);
        done.send_replace(Some(opened));
    }

    /// Opens the game with a name, without looking at open games.
    fn open_named(&self, name: &str) -> Opening {
        let subject: Arc<AnyGame> = self.registry.find(name, &self.loader)?;
        let about = subject.about();
        // It may be open under another name.
        if let Some(game) = self.open.lock().get(&about.game) {
            return Ok(game);
        }
        self.open(subject, about)
    }

    fn open(&self, subject: Arc<AnyGame>, about: About) -> Opening {
        let mut game = self.tables.explore(&subject)?;
        game.limit_cache(self.memory / CACHE_PART);
        let memory = game.memory();
        // Most of it is allocated by later requests. Without a table it is little.
        if memory > self.memory && game.has_table() {
            let mebibytes = |bytes: u64| bytes.div_ceil(1 << 20);
            let detail = format!(
                "{} needs {} MiB of memory, but this server has {} MiB for all games",
                about.game,
                mebibytes(memory),
                mebibytes(self.memory)
            );
            return Err(Refusal::too_large(StatusCode::UNPROCESSABLE_ENTITY, detail));
        }
        for note in game.notes() {
            self.warn(&about.game, note);
        }
        let version = env!("CARGO_PKG_VERSION");
        let stamp = stamp(format!("{version} {}", game.stamp()));
        Ok(Arc::new(ServedGame { subject, about, game, stamp, memory }))
    }

    /// Logs a note about the files of a game once, since games may be opened many times.
    fn warn(&self, game: &str, note: String) {
        if self.noted.lock().insert(note.clone()) {
            tracing::warn!(game, note, "a file cannot be used");
        }
    }

    /// The games to list: the families' examples, then games of other tables. Skips games that cannot be
    /// opened. Games that are not open are opened only temporarily, so that a list does not close games in
    /// use.
    pub fn each_listed(&self, visit: &mut dyn FnMut(&ServedGame)) {
        let examples = self.registry.families.iter().flat_map(|family| family.examples.iter().cloned());
        let mut seen: Vec<String> = Vec::new();
        for name in examples.chain(self.tables.games()) {
            if seen.contains(&name) {
                continue;
            }
            let open = self.open.lock().get(&name);
            let Ok(game) = open.map_or_else(|| self.open_named(&name), Ok) else { continue };
            if !seen.contains(&game.about.game) {
                seen.push(game.about.game.clone());
                visit(&game);
            }
        }
    }

    /// Begins a new epoch if tables were added, removed or changed. Games that are not open are opened
    /// only for their stamps, since answers about them may be cached.
    fn relist(&self) {
        let stamp = |name: &String| {
            let open = self.open.lock().shelf.games().find(|game| game.about.game == *name).cloned();
            open.map_or_else(|| self.open_named(name), Ok).ok().map(|game| game.stamp.clone())
        };
        let found = self.tables.games().into_iter().map(|name| (stamp(&name), name));
        let found: Vec<_> = found.map(|(stamp, name)| (name, stamp)).collect();
        let mut listed = self.listed.lock();
        if *listed != found {
            *listed = found;
            self.epoch.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// Reopens games whose table is new or has changed.
    pub fn refresh(&self) {
        self.relist();
        let known: Vec<Arc<ServedGame>> = self.open.lock().shelf.games().cloned().collect();
        for old in known {
            if let Some(new) = self.renewed(&old) {
                self.open.lock().keep(&new.about.game, &new);
                self.epoch.fetch_add(1, Ordering::AcqRel);
            }
        }
    }

    /// The game with its current table; `None` if the table is unchanged or cannot be opened.
    fn renewed(&self, old: &ServedGame) -> Option<Arc<ServedGame>> {
        match self.open(Arc::clone(&old.subject), old.about.clone()) {
            Ok(new) if new.stamp == old.stamp => None,
            Ok(new) => {
                tracing::info!(game = new.game.name(), "its table is new");
                Some(new)
            }
            Err(Refusal(problem)) => {
                tracing::warn!(game = old.game.name(), error = %problem.detail, "its table cannot be opened again");
                None
            }
        }
    }
}

/// A hash of sixteen hexadecimal digits.
pub(crate) fn stamp(content: impl AsRef<[u8]>) -> String {
    blake3::hash(content.as_ref()).to_hex()[..16].to_owned()
}

/// Rejects names that could lead to a file or waste memory, before any family parses them.
fn check(name: &str) -> Result<(), Refusal> {
    const EXPECTED: &str =
        "a letter, a digit, a space or one of `:,=-_.+×`; the server does not open board files";
    if name.len() > MAX_NAME {
        let start: String = name.chars().take(MAX_NAME).collect();
        return Err(TextError::impossible("game", &start, "this is longer than the name of any game").into());
    }
    let stray = name.chars().position(|c| !c.is_ascii_alphanumeric() && !" :,=-_.+×".contains(c));
    if let Some(at) = stray {
        return Err(TextError::unexpected("game", name, at, EXPECTED).into());
    }
    if name.split([':', ',', '=']).any(|part| board_file_stem(part).is_some() || part.contains("..")) {
        return Err(TextError::impossible("game", name, "the server does not open board files").into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use retrograde_explore::SolveOptions;

    use super::*;

    #[test]
    fn a_closed_game_is_removed_under_all_its_names() {
        let tables = retrograde_testkit::tempdir().unwrap();
        let limits = Limits { games: 2, ..Limits::default() };
        let games = Games::new(retrograde_games::registry(), TableFolders::one(tables.path()), &limits);
        let keep = |name: &str| {
            let game = games.open_named(name).unwrap();
            games.open.lock().keep(name, &game);
        };
        keep("tactics:3x2");
        keep("tactics:3x2,line=4");
        assert_eq!(games.open.lock().shelf.games().count(), 1, "two names are one game");
        assert!(games.open.lock().get("tactics:3x2,line=4").is_some());
        keep("tactics:2x2");
        keep("tactics:4x2");
        assert!(games.open.lock().get("tactics:3x2,line=4").is_none());
        assert!(games.open.lock().aliases.is_empty());
    }

    #[test]
    fn a_new_table_of_a_closed_game_begins_a_new_epoch() {
        let tables = retrograde_testkit::tempdir().unwrap();
        let games =
            Games::new(retrograde_games::registry(), TableFolders::one(tables.path()), &Limits::default());
        let subject = games.registry.find("tactics:3x2", &Loader::none()).unwrap();
        let solve = |outcome_only: bool| {
            let options = SolveOptions { outcome_only, again: true, ..SolveOptions::default() };
            subject.solve(tables.path(), &options, &retrograde_solve::Silent).unwrap();
            games.refresh();
            games.epoch()
        };
        let first = solve(true);
        games.refresh();
        assert_eq!(games.epoch(), first, "nothing has changed");
        assert!(solve(false) > first);
    }

    #[test]
    fn file_names_are_rejected() {
        for good in ["tactics", "tactics:5x4,line=3,normal", "pushfight:2k3p", "TouchDown 5 × 4"] {
            assert!(check(good).is_ok(), "{good}");
        }
        for bad in
            ["pushfight:/etc/passwd", "pushfight:a\\b", "pushfight:x.board", "a:..", "a\tb", "é", "a\0"]
        {
            assert_eq!(check(bad).unwrap_err().0.status, 404, "{bad}");
        }
        assert!(check(&"a".repeat(MAX_NAME + 1)).is_err());
    }
}
