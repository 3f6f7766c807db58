//! A game of a site: its files are static files on a web host, and the page fetches ranges of them.
//!
//! The module cannot wait for bytes. A request is answered from the cached bytes, or with a list of the
//! ranges that it needs; the page fetches them and repeats the request. An answer is valid only if nothing
//! was missing while it was computed, so a missing file never changes an answer. Opening a game works the
//! same way.
//!
//! The rules do not need bytes. Therefore the game exists a second time without files, to show boards and
//! turns before any file has arrived.

mod held;

use std::path::Path;
use std::sync::Arc;

use retrograde_explore::{Error, Host, Problem, Registry};
use retrograde_table::MemoryStorage;
use retrograde_table::site::{Fetch, SiteGame, SiteIndex, SiteStorage};
use serde::Deserialize;
use serde_json::json;

use crate::answers::{self, NamedGame};
use crate::name_by_file;
use held::Held;
pub use held::{HeldBytes, Need};

/// The status of an answer that needs more bytes: HTTP's "processing".
const WAITING: u16 = 102;
/// How often a request may be repeated. The deepest requests, best lines, follow about forty turns, each with
/// up to three lookups.
const MAX_ROUNDS: u32 = 400;
/// The number of requests that may wait at the same time.
const MAX_WAITING: usize = 16;
/// The number of bytes that a request may read.
const MAX_READ: u64 = 256 << 20;
/// The share of the memory for decoded blocks.
const DECODED_SHARE: u64 = 4;

/// A game of a site.
pub struct SiteGames<'r> {
    registry: &'r Registry,
    index: Arc<SiteIndex>,
    held: Arc<Held>,
    /// The size of a game's cache of decoded blocks in bytes.
    decoded: u64,
    /// The game without its files.
    rules: Option<Arc<NamedGame<'r>>>,
    game: Option<Arc<NamedGame<'r>>>,
    /// The requests that wait for bytes, the latest last. They do not wait for each other.
    waiting: Vec<WaitingQuestion>,
}

/// A request that waits for bytes.
struct WaitingQuestion {
    question: Vec<u8>,
    number: u64,
    /// How often it was repeated.
    rounds: u32,
}

/// The part of a request that selects who answers.
#[derive(Deserialize)]
struct Asking {
    /// Whether to answer from the rules alone, without bytes and with other values unknown.
    #[serde(default)]
    rules: bool,
}

/// The result of an attempt to answer.
enum Attempt<T> {
    Answered(T),
    /// Bytes are missing, or the request reads too much.
    Unanswered(String),
}

impl<'r> SiteGames<'r> {
    /// Loads the games of a site from its `site.json`. At most `limit` bytes are cached between requests.
    ///
    /// # Errors
    /// A message if the index is damaged or has another version.
    pub fn new(registry: &'r Registry, index: &[u8], limit: u64) -> Result<SiteGames<'r>, String> {
        let index = SiteIndex::read(index, Path::new("site.json")).map_err(|error| error.to_string())?;
        let decoded = limit / DECODED_SHARE;
        let held = Arc::new(Held::new(limit - decoded));
        let index = Arc::new(index);
        Ok(SiteGames { registry, index, held, decoded, rules: None, game: None, waiting: Vec::new() })
    }

    /// Adds bytes of a file or piece at an offset.
    pub fn give(&self, path: &str, from: u64, bytes: Vec<u8>) {
        self.held.give(path, from, &bytes);
    }

    /// The usage of the cache.
    pub fn held(&self) -> HeldBytes {
        self.held.held()
    }

    /// Opens a game by its canonical name. The answer is like those of [`SiteGames::ask`], with an empty body
    /// once the game is open. After the first call, the rules can answer.
    pub fn open(&mut self, name: &str) -> String {
        if self.rules.as_ref().is_none_or(|rules| rules.about.game != name) {
            self.game = None;
            self.rules = match self.rules_of(name) {
                Ok(rules) => Some(Arc::new(rules)),
                Err(problem) => return answers::refused(&problem),
            };
        }
        let Some(rules) = self.rules.clone() else { return NOTHING_OPEN.to_owned() };
        let opened = self.attempt(name.as_bytes(), |site| {
            site.opened(&rules).map_err(|error| answers::SEARCH.problem(error))
        });
        match opened {
            Attempt::Unanswered(reply) => reply,
            Attempt::Answered(Ok(game)) => {
                self.game = Some(Arc::new(game));
                json!({"status": 200, "body": {}}).to_string()
            }
            Attempt::Answered(Err(problem)) => self.failed(&problem),
        }
    }

    /// Answers a request about the open game, like [`Solved::ask`](crate::Solved::ask). With status 102 the
    /// body has a list `need` of [`Need`]s: provide these bytes and repeat the request. With status 500 a
    /// list `damaged` names the ranges that were read and removed from the cache, since some of their bytes
    /// are wrong.
    ///
    /// A request with `"rules": true` is answered immediately from the rules alone; other values are unknown.
    pub fn ask(&mut self, question: &[u8]) -> String {
        let asking = serde_json::from_slice(question);
        if let (Some(rules), Ok(Asking { rules: true })) = (&self.rules, asking) {
            return rules.ask(&answers::NO_SEARCH, None, question);
        }
        let Some(game) = self.game.clone() else { return NOTHING_OPEN.to_owned() };
        match self.attempt(question, |_| game.attempt(&answers::SEARCH, None, question)) {
            Attempt::Unanswered(reply) => reply,
            Attempt::Answered(Err(problem)) => self.failed(&problem),
            Attempt::Answered(Ok(body)) => {
                self.end();
                answers::response(200, &body)
            }
        }
    }

    /// Tries to answer a request from the cached bytes.
    fn attempt<T>(&mut self, question: &[u8], ask: impl FnOnce(&Self) -> T) -> Attempt<T> {
        let known = self.waiting.iter().position(|waiting| waiting.question == question);
        let (number, rounds) = match known.map(|place| self.waiting.remove(place)) {
            Some(waiting) => {
                self.held.go_on(waiting.number);
                (waiting.number, waiting.rounds + 1)
            }
            None => (self.held.begin(), 0),
        };
        let answer = ask(self);
        let missing = self.held.missing();
        if missing.is_empty() {
            return Attempt::Answered(answer);
        }
        if rounds >= MAX_ROUNDS || self.held.requested_bytes() > MAX_READ {
            self.end();
            let detail = "this request reads more of the game's files than a page may load; use the command \
                          line with the files";
            return Attempt::Unanswered(answers::refused(&Problem::too_large(422, detail)));
        }
        // Abandoned requests are forgotten, the oldest first.
        if self.waiting.len() >= MAX_WAITING {
            self.waiting.remove(0);
        }
        self.waiting.push(WaitingQuestion { question: question.to_vec(), number, rounds });
        Attempt::Unanswered(json!({"status": WAITING, "body": {"need": missing}}).to_string())
    }

    /// Ends a request and evicts bytes beyond the bound.
    fn end(&self) {
        let oldest = self.waiting.iter().map(|waiting| waiting.number).min();
        self.held.end(oldest.unwrap_or(u64::MAX));
    }

    /// An answer with a problem.
    fn failed(&self, problem: &Problem) -> String {
        if problem.status != 500 {
            self.end();
            return answers::refused(problem);
        }
        json!({"status": problem.status, "body": problem, "damaged": self.held.drop_used()}).to_string()
    }

    /// The entry of a game in the index.
    fn entry(&self, name: &str) -> Result<&SiteGame, Problem> {
        self.index.game(name).ok_or_else(|| {
            Problem::new(404, "game", "There is no such game", format!("this site has no {name}"))
        })
    }

    /// The rules of a game, without its files.
    fn rules_of(&self, name: &str) -> Result<NamedGame<'r>, Problem> {
        let entry = self.entry(name)?;
        let board = entry.board.as_deref();
        let lookup_name = if board.is_some() { name_by_file(&entry.game) } else { entry.game.clone() };
        let rules = NamedGame::open(self.registry, &lookup_name, board, Arc::new(MemoryStorage::new()))
            .map_err(|error| answers::SEARCH.problem(error))?;
        if rules.about.game != entry.game {
            let reason = format!("the site has {}, but its board makes {}", entry.game, rules.about.game);
            return Err(answers::SEARCH.problem(Error::Unsupported(reason)));
        }
        Ok(rules)
    }

    /// Opens the game of these rules with its files.
    fn opened(&self, rules: &NamedGame<'r>) -> Result<NamedGame<'r>, Error> {
        let fetch: Arc<dyn Fetch> = self.held.clone();
        let storage = SiteStorage::new(Arc::clone(&self.index), fetch);
        let mut game = rules.subject.explore_in(Arc::new(storage), Path::new(""))?;
        if !game.has_table() {
            let name = rules.about.game.clone();
            return Err(Error::NoTable { game: name.clone(), command_name: name });
        }
        game.limit_cache(self.decoded);
        let (subject, about) = (Arc::clone(&rules.subject), rules.about.clone());
        Ok(NamedGame { registry: rules.registry, subject, about, game: Arc::new(game) })
    }
}

/// The answer if no game is open.
pub(crate) const NOTHING_OPEN: &str = r#"{"status":503,"body":{"detail":"no game is open"}}"#;
