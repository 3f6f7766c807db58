//! Solves a board phase by phase, until a phase finds nothing.
//!
//! - `driver`: the loop over phases, and the stores that run them:
//!   - `in_memory`: logged, the whole board in memory
//!   - `partitioned`: logged, one part in memory at a time; `window`: the cells in memory
//!   - `distributed`: logged, a part on each machine
//! - `logged`: replays a log, or solves with one of the first two stores
//! - `steps`: steps that stores share
//! - `estimate`: memory, time and disk space

pub(crate) mod distributed;
pub(crate) mod driver;
pub(crate) mod estimate;
pub(crate) mod in_memory;
pub(crate) mod logged;
pub(crate) mod partitioned;
pub(crate) mod steps;
pub(crate) mod window;
