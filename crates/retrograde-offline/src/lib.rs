//! A solved game inside a page that stands alone, on a USB stick or in a mail: the rules and the
//! reading of tables, compiled to WebAssembly, answer what the page would ask a server.
//!
//! Questions are those of `docs/api.md`: a path below `/api/v1/`, a query and a body; answers are
//! the same objects. The page of `retrograde export GAME --format html` holds this module and the
//! two files of a table.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use retrograde_explore::{Entry, SolveOptions};
//! use retrograde_game::Game;
//! use retrograde_offline::Solved;
//! use retrograde_touchdown::TouchDown;
//!
//! // A table, as `retrograde solve touchdown:3x3` writes it.
//! let tables = tempfile::tempdir()?;
//! let game = TouchDown::new(3, 3)?;
//! let solved = Entry::new(game, "").layered().boxed();
//! solved.solve(tables.path(), &SolveOptions::default(), &retrograde_solve::Silent)?;
//! let file = |name: &str| std::fs::read(tables.path().join("touchdown_3x3").join(name));
//!
//! let solved = Solved::open(file("manifest.json")?, file("values.rgt")?)?;
//! let question = r#"{"path": "games/touchdown:3x3/positions", "query": {"position": "OO./..X/XX."}}"#;
//! let answer = solved.ask(question.as_bytes());
//! assert!(answer.starts_with(r#"{"status":200,"body":{"game":"touchdown:3x3""#), "{answer}");
//! # Ok(())
//! # }
//! ```

mod answers;
#[cfg(target_family = "wasm")]
mod module;

use std::path::Path;
use std::sync::Arc;

use retrograde_explore::{About, AnyGame, Error, Explore, Loader};
use retrograde_table::{MemoryStorage, directory_name};
use serde_json::Value as Json;

/// A game with its table.
pub struct Solved {
    game: Box<dyn Explore>,
    about: About,
}

impl Solved {
    /// The game whose table these two files are: `manifest.json` and `values.rgt`.
    ///
    /// # Errors
    /// If they are damaged, of another version, or of a game that is not known here; in words.
    pub fn open(manifest: Vec<u8>, values: Vec<u8>) -> Result<Solved, String> {
        let told: Json =
            serde_json::from_slice(&manifest).map_err(|error| format!("manifest.json: {error}"))?;
        let name = told["game"].as_str().ok_or("manifest.json names no game")?;
        let directory = Path::new(&directory_name(name)).to_owned();
        let storage = MemoryStorage::new()
            .with(directory.join("manifest.json"), manifest.as_slice())
            .with(directory.join("values.rgt"), values);
        let subject =
            retrograde_games::registry().find(name, &Loader::none()).map_err(|error| error.to_string())?;
        let subject: Arc<dyn AnyGame> = Arc::from(subject);
        let about = subject.about();
        let game = subject.explore_in(Arc::new(storage), Path::new("")).map_err(|error| error.to_string())?;
        if !game.has_table() {
            return Err(Error::NoTable { game: name.to_owned(), command_name: name.to_owned() }.to_string());
        }
        Ok(Solved { game, about })
    }

    /// The answer to a question: JSON with `path`, `query` and `body`; the answer has `status` and
    /// `body`.
    pub fn ask(&self, question: &[u8]) -> String {
        answers::answer(&*self.game, &self.about, question)
    }
}
