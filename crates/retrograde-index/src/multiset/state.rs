//! The state of a conversion: the squares and codes that are still to place.

/// The codes that are still to place: a smaller multiset, whose arrangements the table of the
/// larger one numbers too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) row: u32,
    /// Squares left.
    pub(super) length: u32,
    /// Arrangements.
    pub(super) total: u64,
}

impl State {
    /// The number of squares left.
    pub fn length(self) -> usize {
        self.length as usize
    }

    /// The number of arrangements of what is left.
    pub fn count(self) -> u64 {
        self.total
    }
}
