//! Checks of what a game promises.

pub mod conformance;
pub mod promises;
mod random;

pub use random::Random;
