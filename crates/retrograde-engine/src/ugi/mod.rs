//! The Universal Game Interface: a line protocol on standard input and output, like UCI, for any two-player
//! game. docs/engines.md has the commands.

mod go;
mod report;
mod search;
mod session;
mod writer;

pub use session::{Engine, Open, run};
