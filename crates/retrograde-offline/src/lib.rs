//! A solved game inside a standalone page, on a USB stick or in a mail: the rules and the table reader,
//! compiled to WebAssembly, answer the requests that the page would send to a server.
//!
//! The same module checks and solves small games that are named or drawn in the browser: a [`Guest`], which
//! has no files.
//!
//! It supports the games of any registry: a module is a command line program compiled for
//! `wasm32-unknown-unknown`, where `retrograde::run` only passes its registry to this crate's `keep_games`.
//!
//! Requests are those of `docs/api.md`: a path below `/api/v1/`, a query and a body; answers are the same
//! objects. The page of `retrograde export GAME --format html` contains this module and the two files of a
//! table.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use retrograde_explore::{Entry, Family, Loader, Registry, SolveOptions};
//! use retrograde_offline::Solved;
//! use retrograde_touchdown::TouchDown;
//!
//! let registry = Registry::new().with(Family::new("touchdown", "a pawn game", |spec, _| {
//!     Ok(Entry::new(TouchDown::from_spec(spec)?, "a pawn game").layered().build())
//! }));
//! // The table of `retrograde solve touchdown:3x3`.
//! let tables = tempfile::tempdir()?;
//! let game = registry.find("touchdown:3x3", &Loader::none())?;
//! game.solve(tables.path(), &SolveOptions::default(), &retrograde_solve::Silent)?;
//! let file = |name: &str| std::fs::read(tables.path().join("touchdown_3x3").join(name));
//!
//! let solved = Solved::open(&registry, file("manifest.json")?, file("values.rgt")?, None)?;
//! let question = r#"{"path": "games/touchdown:3x3/positions", "query": {"position": "OO./..X/XX."}}"#;
//! let answer = solved.ask(question.as_bytes());
//! assert!(answer.starts_with(r#"{"status":200,"body":{"game":"touchdown:3x3""#), "{answer}");
//! # Ok(())
//! # }
//! ```

mod ahead;
mod answers;
mod guest;
#[cfg(target_family = "wasm")]
mod module;
mod opening;
mod site;

use std::path::Path;
use std::sync::Arc;

use retrograde_explore::Error;
use retrograde_table::{MemoryStorage, directory_name};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use answers::NamedGame;

pub use ahead::{AnswersAhead, answers_ahead, answers_split_at};
pub use guest::{Guest, GuestDescription, GuestRefusal};
#[cfg(target_family = "wasm")]
pub use module::keep_games;
pub use opening::{OpeningRange, opening_file, opening_ranges};
pub use retrograde_explore::{Entry, Family, Registry, conformance};
#[cfg(feature = "games")]
pub use retrograde_games::registry;
pub use site::{HeldBytes, Need, SiteGames};

/// A marker in the bytes of a module for its interface.
pub const INTERFACE: &str = concat!("retrograde module 1, version ", env!("CARGO_PKG_VERSION"), ";");

/// A marker in the bytes of a module that can do long work, such as solving.
pub const SOLVING: &str = "retrograde module with long work;";

/// A game of a registry with its table.
pub struct Solved<'r>(NamedGame<'r>);

impl<'r> Solved<'r> {
    /// Opens the game of a table from its two files, `manifest.json` and `values.rgt`, or from the two files
    /// made by [`packed`]. For a board from a file, `board` is the text of that file.
    ///
    /// # Errors
    /// A message if the files are damaged, have another version, or belong to a game that is not in the
    /// registry.
    pub fn open(
        registry: &'r Registry,
        manifest: Vec<u8>,
        values: Vec<u8>,
        board: Option<&str>,
    ) -> Result<Solved<'r>, String> {
        let manifest_json: Json =
            serde_json::from_slice(&manifest).map_err(|error| format!("manifest.json: {error}"))?;
        let name = manifest_json["game"].as_str().ok_or("manifest.json names no game")?;
        let directory = Path::new(&directory_name(name)).to_owned();
        let storage = match serde_json::from_slice::<PackedFiles>(&manifest) {
            Ok(packed) => packed.unpack(&directory, &values).ok_or("the files in the page are truncated")?,
            Err(_) => MemoryStorage::new()
                .with(directory.join("manifest.json"), manifest.as_slice())
                .with(directory.join("values.rgt"), values),
        };
        let lookup_name = if board.is_some() { name_by_file(name) } else { name.to_owned() };
        let named = NamedGame::open(registry, &lookup_name, board, Arc::new(storage))
            .map_err(|error| error.to_string())?;
        if named.about.game != name {
            return Err(format!("the table is for {name}, but the board makes {}", named.about.game));
        }
        if !named.game.has_table() {
            return Err(Error::NoTable { game: name.to_owned(), command_name: name.to_owned() }.to_string());
        }
        Ok(Solved(named))
    }

    /// Answers a request, which is JSON with `path`, `query` and `body`; the answer has `status` and `body`.
    pub fn ask(&self, question: &[u8]) -> String {
        self.0.ask(&answers::SEARCH, None, question)
    }
}

/// Several files as one.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PackedFiles {
    game: String,
    /// The names below the game's directory, and the lengths, in the order of the bytes.
    files: Vec<(String, usize)>,
}

impl PackedFiles {
    /// The files by path; `None` if bytes are missing.
    fn unpack(&self, directory: &Path, mut bytes: &[u8]) -> Option<MemoryStorage> {
        let mut storage = MemoryStorage::new();
        for (name, length) in &self.files {
            let (file, rest) = bytes.split_at_checked(*length)?;
            storage = storage.with(directory.join(name), file);
            bytes = rest;
        }
        bytes.is_empty().then_some(storage)
    }
}

/// Packs the files of a game, such as an archive, into the two files that [`Solved::open`] takes.
pub fn packed(game: &str, files: Vec<(String, Vec<u8>)>) -> [Vec<u8>; 2] {
    let (names, bytes): (Vec<_>, Vec<_>) =
        files.into_iter().map(|(name, bytes)| ((name, bytes.len()), bytes)).unzip();
    let list = PackedFiles { game: game.to_owned(), files: names };
    [json!(list).to_string().into_bytes(), bytes.concat()]
}

/// The name that opens a game on a board from a file, `pushfight:mine.board,moves=1`, for its canonical name,
/// `pushfight:mine-4b600fb4,moves=1`, which contains a hash of the text.
fn name_by_file(canonical: &str) -> String {
    let (board, keys) = canonical.split_at(canonical.find(',').unwrap_or(canonical.len()));
    let stem = board.rsplit_once('-').map_or(board, |(stem, _)| stem);
    format!("{stem}.board{keys}")
}
