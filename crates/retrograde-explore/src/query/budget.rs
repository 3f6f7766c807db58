//! The nodes and the time that one question may take for its searches.

use std::time::Duration;

use retrograde_solve::clock::Instant;

use crate::SearchLimits;
use crate::bounds;

/// Turns that are listed even if a search may look at fewer positions.
const MIN_LISTED: u64 = 1 << 16;
/// The minimum time for listing turns. Also the maximum time for finding immediate wins when no positions are
/// left to search.
const MIN_LISTING_TIME: Duration = Duration::from_secs(1);

/// The remaining nodes and time for the searches of one question, and for listing turns.
pub(crate) struct Budget {
    nodes: u64,
    /// When searches end. With no nodes left, they only look for immediate wins, which is quick.
    pub until: Instant,
    pub depth: Option<u16>,
    /// The longest list of turns, and when listing ends.
    pub longest: u64,
    pub listed_until: Instant,
    /// Positions looked at so far; `None` while nothing was searched.
    pub spent: Option<u64>,
}

impl Budget {
    pub(crate) fn new(limits: &SearchLimits) -> Budget {
        let now = Instant::now();
        let until = bounds::after(limits.time);
        Budget {
            nodes: limits.nodes,
            until: if limits.nodes == 0 { until.min(now + MIN_LISTING_TIME) } else { until },
            depth: limits.depth,
            longest: limits.nodes.max(MIN_LISTED),
            listed_until: until.max(now + MIN_LISTING_TIME),
            spent: None,
        }
    }

    /// Returns one of `parts` equal parts of the remaining budget, for a search `after` a number of turns.
    pub(crate) fn part(&self, parts: u64, after: u16) -> SearchLimits {
        let time = self.until.saturating_duration_since(Instant::now());
        let parts = parts.max(1);
        SearchLimits {
            nodes: self.nodes.div_ceil(parts),
            // Anything found after the end of the budget is dropped, so a search ends before it.
            time: (time - time / 8) / u32::try_from(parts).unwrap_or(u32::MAX),
            depth: self.depth.map(|depth| depth.saturating_sub(after)),
        }
    }

    pub(crate) fn is_late(&self) -> bool {
        let late = Instant::now() >= self.until;
        if late {
            bounds::record_reached();
        }
        late
    }

    pub(crate) fn spend(&mut self, nodes: u64) {
        *self.spent.get_or_insert(0) += nodes;
        self.nodes = self.nodes.saturating_sub(nodes);
        if self.nodes == 0 {
            self.until = self.until.min(Instant::now() + MIN_LISTING_TIME);
        }
    }
}
