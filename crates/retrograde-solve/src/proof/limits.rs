//! The limits of a search.

use std::time::Duration;

/// The budget of a search.
pub struct Limits<'a> {
    /// Positions to look at.
    pub nodes: u64,
    /// Time to take.
    pub time: Duration,
    /// Turns to look ahead; `None`: to the end. With a depth, the search finds only wins and losses
    /// within it.
    pub depth: Option<u16>,
    /// Bytes for the transposition table, and for the positions that follow.
    pub memory: u64,
    /// Whether to stop at once.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
}
