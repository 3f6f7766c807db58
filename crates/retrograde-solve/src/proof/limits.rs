//! The limits of a search, and how much of them is spent.

use std::time::Duration;

use crate::clock::Instant;

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

/// The budget of a search, and how much of it is spent.
pub(super) struct Budget<'a> {
    pub limits: &'a Limits<'a>,
    until: Option<Instant>,
    pub spent: u64,
    /// The end of the current part of the budget.
    pause: u64,
    /// The number of spent positions when the clock was last read.
    looked: u64,
    pub over: bool,
}

impl<'a> Budget<'a> {
    pub fn new(limits: &'a Limits<'a>) -> Budget<'a> {
        let until = Instant::now().checked_add(limits.time);
        Budget { limits, until, spent: 0, pause: 0, looked: 0, over: false }
    }

    /// Allows a number of further positions, within the budget.
    pub fn allow(&mut self, positions: u64) {
        self.pause = self.spent.saturating_add(positions).min(self.limits.nodes);
    }

    /// The number of positions that may still be visited.
    pub fn left(&self) -> u64 {
        self.limits.nodes.saturating_sub(self.spent)
    }

    pub fn late(&self) -> bool {
        (self.limits.stopped)() || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Adds visited positions. Returns whether to continue.
    pub fn spend(&mut self, positions: u64) -> bool {
        self.spent += positions;
        if self.spent - self.looked >= 256 {
            self.looked = self.spent;
            self.over |= self.late();
        }
        self.over |= self.spent >= self.limits.nodes;
        !self.over && self.spent < self.pause
    }
}
