//! The drivers: phase after phase until nothing is new.
//!
//! - `in_memory`: small boards, a byte for each position
//! - `logged`: large boards; replays a log, or hands over to
//! - `whole_board`: all of the board in memory, and
//! - `partitioned`: one part in memory at a time
//! - `distributed`: a part on each machine
//! - `steps`: steps that they share
//! - `estimate`: the memory that they need

pub(crate) mod distributed;
pub(crate) mod estimate;
pub(crate) mod in_memory;
pub(crate) mod logged;
pub(crate) mod partitioned;
pub(crate) mod steps;
pub(crate) mod whole_board;
