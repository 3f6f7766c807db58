//! Helpers for the tests of several crates: made-up games, Push Fight by name and by drawing, and the choice of
//! cases of long tests.
//!
//! Only tests, benchmarks and examples use it.

mod boards;
mod cases;
mod folders;
mod games;
mod kalah;

pub use boards::{drawing, push_fight, push_fight_on};
pub use cases::{all_cases, some_of};
pub use folders::{TempDir, compare_document, files, tempdir, write_files};
pub use games::Graph;
pub use kalah::{Kalah, Seeds};
