//! The budget of a search.

use crate::clock::Instant;
use crate::proof::Limits;

/// The search must end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ended;

/// The remaining positions and time.
pub(super) struct Budget<'a> {
    limits: &'a Limits<'a>,
    began: Instant,
    pub(super) spent: u64,
}

/// The number of positions between readings of the clock.
const LOOKS: u64 = 1 << 10;
/// The maximum length of a line of turns: the search recurses once per turn, and the stack is limited.
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
