//! Where positions that occur go in the end: to whoever takes them at process 0, in the order of
//! their numbers, so that nobody needs the memory for all of them.

use std::collections::BTreeMap;
use std::io;

use crate::error::SinkError;

/// The totals of all positions, known before the first of them comes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct OccurringTotals {
    /// Positions by score of two bytes.
    pub counts: BTreeMap<u16, u64>,
    /// The scores of the numbers that were wanted, in their order; `None` where none occurs.
    pub wanted: Vec<Option<u16>>,
}

/// The taker of positions at process 0. In other processes it is never called.
pub trait OccurringSink {
    /// Numbers whose scores it wants to know before all others.
    fn wanted(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Takes all positions: numbers and scores, in the order of the numbers. No process looks for more
    /// than the window after the one that is being read. An error of the iterator ends it.
    ///
    /// # Errors
    /// If they cannot be taken. Then all processes end, and the others are told why.
    fn take(
        &mut self,
        totals: &OccurringTotals,
        positions: &mut dyn Iterator<Item = io::Result<(u64, u16)>>,
    ) -> Result<(), SinkError>;
}

/// A sink that keeps all positions in memory, for games that are small beside it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CollectedOccurring {
    /// Positions by score; `None` until all are there.
    pub counts: Option<BTreeMap<u16, u64>>,
    /// Numbers and scores, in the order of the numbers.
    pub positions: Vec<(u64, u16)>,
}

impl OccurringSink for CollectedOccurring {
    fn take(
        &mut self,
        totals: &OccurringTotals,
        positions: &mut dyn Iterator<Item = io::Result<(u64, u16)>>,
    ) -> Result<(), SinkError> {
        self.positions = positions.collect::<Result<_, _>>()?;
        self.counts = Some(totals.counts.clone());
        Ok(())
    }
}
