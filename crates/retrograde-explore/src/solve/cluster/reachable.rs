//! The file of reachable positions, which process 0 writes as they arrive.

use std::io;

use retrograde_game::Index;
use retrograde_solve::together::{ReachableSink, ReachableTotals, SinkError};

use crate::Statistics;
use crate::solve::write::{Output, start_indices, write_sparse_file};

/// The file of process 0, which receives the positions of all processes.
pub(super) struct ReachableOutput<'a> {
    pub output: Output<'a>,
    /// The statistics of the written file.
    pub written: Option<Statistics>,
}

impl ReachableSink for ReachableOutput<'_> {
    /// The head of the file contains the value of the start.
    fn wanted(&self) -> Vec<u64> {
        start_indices(self.output.entry)
    }

    fn take(
        &mut self,
        totals: &ReachableTotals,
        positions: &mut dyn Iterator<Item = io::Result<(u64, u16)>>,
    ) -> Result<(), SinkError> {
        let scores: Vec<(u64, Option<u16>)> = self.wanted().into_iter().zip(totals.wanted.clone()).collect();
        let score =
            |index: Index| Ok(scores.iter().find(|(known, _)| *known == index.0).and_then(|known| known.1));
        self.written = Some(write_sparse_file(self.output, &totals.counts, &score, positions)?);
        Ok(())
    }
}
