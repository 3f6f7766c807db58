//! Helpers for the tests of several crates: made-up games, Push Fight by name and by
//! drawing, a checkpoint in memory, and progress that stops.
//!
//! Only tests, benchmarks and examples use it.

mod boards;
mod games;
mod means;

pub use boards::{drawing, push_fight, push_fight_on};
pub use games::{Filling, Graph};
pub use means::{MemoryCheckpoint, StopsAfter, StopsAtUnit, all_stored, job};
