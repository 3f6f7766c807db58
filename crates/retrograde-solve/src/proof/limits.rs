//! The limits of a search, and what it is asked for.

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

/// The questions to a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofOptions {
    /// The turns to the end too; without, it ends when the outcome is known.
    pub turns: bool,
    /// A best line.
    pub line: bool,
    /// Whether it may list all positions that can follow.
    pub exhaust: bool,
}

impl Default for ProofOptions {
    /// The value, in any way, without a line.
    fn default() -> ProofOptions {
        ProofOptions { turns: true, line: false, exhaust: true }
    }
}
