//! Helpers for the tests of several crates: made-up games, Push Fight by name and by
//! drawing, a checkpoint in memory, progress that stops, and a disk that fails on purpose.
//!
//! Only tests, benchmarks and examples use it.

mod boards;
mod faulty_storage;
mod folders;
mod games;
mod kalah;
mod means;
mod occurring_file;

pub use boards::{drawing, push_fight, push_fight_on};
pub use faulty_storage::{Fault, FaultyStorage};
pub use folders::{TempDir, tempdir};
pub use games::{Filling, Graph};
pub use kalah::{Kalah, Seeds};
pub use means::{MemoryCheckpoint, StopsAfter, StopsAtUnit, all_stored, job};
pub use occurring_file::occurring_file;
