//! Limits of a search.

use std::time::Duration;

/// Limits of a search, and of listing turns where there is no table. They never limit what is read from
/// a table.
#[derive(Clone, Debug)]
pub struct SearchLimits {
    /// Positions to look at. A list of turns is at most as long, or has 65,536 turns if that is more.
    pub nodes: u64,
    /// Time to take. Listing turns may take a second even if this is less.
    pub time: Duration,
    /// Turns of both players to look ahead; `None`: to the end.
    pub depth: Option<u16>,
}

impl SearchLimits {
    /// No limits.
    pub const NONE: SearchLimits = SearchLimits { nodes: u64::MAX, time: Duration::MAX, depth: None };
}

impl Default for SearchLimits {
    /// Ten million positions, five seconds.
    fn default() -> SearchLimits {
        SearchLimits { nodes: 10_000_000, time: Duration::from_secs(5), depth: None }
    }
}
