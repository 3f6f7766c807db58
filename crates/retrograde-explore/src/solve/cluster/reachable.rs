//! The file of reachable positions, which process 0 writes as they arrive.

use std::io;
use std::time::Instant;

use retrograde_game::Index;
use retrograde_solve::together::{ReachableSink, ReachableTotals, SinkError};
use retrograde_table::GameLock;

use crate::game::any_game::AnyGame;
use crate::solve::write::{start_indices, write_sparse_file};
use crate::{SolveOptions, Statistics};

/// The file of process 0, which receives the positions of all processes.
pub(super) struct ReachableOutput<'a> {
    pub entry: &'a AnyGame,
    pub lock: &'a GameLock,
    pub options: &'a SolveOptions,
    pub began: Instant,
    /// The statistics of the written file.
    pub written: Option<Statistics>,
}

impl ReachableSink for ReachableOutput<'_> {
    /// The head of the file contains the value of the start.
    fn wanted(&self) -> Vec<u64> {
        start_indices(self.entry)
    }

    fn take(
        &mut self,
        totals: &ReachableTotals,
        positions: &mut dyn Iterator<Item = io::Result<(u64, u16)>>,
    ) -> Result<(), SinkError> {
        let scores: Vec<(u64, Option<u16>)> = self.wanted().into_iter().zip(totals.wanted.clone()).collect();
        let score =
            |index: Index| Ok(scores.iter().find(|(known, _)| *known == index.0).and_then(|known| known.1));
        let context = (self.lock, self.options, self.began);
        self.written = Some(write_sparse_file(self.entry, &totals.counts, &score, positions, context)?);
        Ok(())
    }
}
