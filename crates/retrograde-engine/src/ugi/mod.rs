//! The Universal Game Interface: lines of words on standard input and output, as in UCI, for any game
//! of two players. docs/engines.md has the words.

mod go;
mod report;
mod search;
mod session;
mod writer;

pub use session::{Engine, Open, run};
