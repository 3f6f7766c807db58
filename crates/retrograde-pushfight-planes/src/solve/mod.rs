//! Solves a board phase by phase, until a phase finds nothing.
//!
//! - `driver`: the loop over phases, and the stores that run them:
//!   - `in_memory`: the whole board in memory, with an array of scores (`scores`) or a log
//!   - `partitioned`: logged, one part in memory at a time; `window`: the cells in memory
//!   - `distributed`: logged, a part on each machine
//! - `logged`: replays a log, or chooses one of the stores with a log
//! - `steps`: steps that stores share
//! - `estimate`: memory, time and disk space

pub(crate) mod distributed;
pub(crate) mod driver;
pub(crate) mod estimate;
pub(crate) mod in_memory;
pub(crate) mod logged;
pub(crate) mod partitioned;
pub(crate) mod scores;
pub(crate) mod steps;
pub(crate) mod window;
