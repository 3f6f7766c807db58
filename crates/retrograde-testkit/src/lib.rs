//! Helpers for the tests of several crates: made-up games, a checkpoint in memory, and progress
//! that stops.
//!
//! Only tests, benchmarks and examples use it.

mod games;
mod means;

pub use games::{Filling, Graph};
pub use means::{MemoryCheckpoint, StopsAfter, StopsAtUnit, all_stored, job};
