//! Solves a board phase by phase, until a phase finds nothing.
//!
//! - `driver`: the loop over phases, and the stores that it asks to do them:
//!   - `in_memory`: all of the board in memory; its record is a byte for each position
//!     (`scores`), a log, or nothing
//!   - `partitioned`: logged, one part in memory at a time; `window`: what that is
//!   - `distributed`: logged, a part on each machine
//! - `logged`: replays a log, or chooses one of the stores with a log
//! - `steps`: steps that stores share
//! - `estimate`: the memory that they need

pub(crate) mod distributed;
pub(crate) mod driver;
pub(crate) mod estimate;
pub(crate) mod in_memory;
pub(crate) mod logged;
pub(crate) mod partitioned;
pub(crate) mod scores;
pub(crate) mod steps;
pub(crate) mod window;
