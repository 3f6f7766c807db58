//! How much a search may still look at.

use crate::clock::Instant;
use crate::proof::Limits;

/// The search has to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ended;

/// The positions and the time that are left.
pub(super) struct Budget<'a> {
    limits: &'a Limits<'a>,
    began: Instant,
    pub(super) spent: u64,
}

/// Looks between two looks at the clock.
const LOOKS: u64 = 1 << 10;
/// The longest line of turns that is followed: a search calls itself once a turn, and the stack has
/// an end.
pub(super) const MAX_DEPTH: u32 = 400;

impl<'a> Budget<'a> {
    pub(super) fn new(limits: &'a Limits<'a>) -> Budget<'a> {
        Budget { limits, began: Instant::now(), spent: 0 }
    }

    /// Spends one position.
    pub(super) fn spend(&mut self) -> Result<(), Ended> {
        self.spent += 1;
        let late = || self.began.elapsed() >= self.limits.time || (self.limits.stopped)();
        let over = self.spent > self.limits.nodes || self.spent.is_multiple_of(LOOKS) && late();
        if over { Err(Ended) } else { Ok(()) }
    }
}
