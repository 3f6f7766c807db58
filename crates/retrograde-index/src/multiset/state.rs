//! The state of a conversion: the squares left, and the codes left for them.

/// The codes that are left: a smaller multiset, which the table of the larger one can also number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) row: u32,
    /// The number of squares left.
    pub(super) length: u32,
    /// The number of arrangements of what is left.
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
