//! The limits of a search.

use std::time::Duration;

/// The budget of a search.
pub struct Limits<'a> {
    /// The maximum number of positions to visit.
    pub nodes: u64,
    /// The time limit.
    pub time: Duration,
    /// The maximum number of turns to look ahead; `None`: to the end. With a depth, the search finds only
    /// wins and losses within it.
    pub depth: Option<u16>,
    /// The memory for the transposition table and for reachable positions, in bytes.
    pub memory: u64,
    /// Whether to stop at once.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
}
