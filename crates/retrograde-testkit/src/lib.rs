//! Helpers for the tests of several crates: made-up games, and Push Fight by name and by drawing.
//!
//! Only tests, benchmarks and examples use it.

mod boards;
mod folders;
mod games;
mod kalah;

pub use boards::{drawing, push_fight, push_fight_on};
pub use folders::{TempDir, tempdir};
pub use games::{Filling, Graph};
pub use kalah::{Kalah, Seeds};
