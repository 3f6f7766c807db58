//! Solves a board phase by phase, until a phase finds nothing.
//!
//! - `driver`: the loop over phases, and the stores that run them:
//!   - `in_memory`: the board in memory, or a part on each machine; `distributed`: the results of phases
//!   - `partitioned`: one part in memory at a time; `window`: the cells in memory
//! - `logged`: replays a log, or solves alone with one of the stores
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
