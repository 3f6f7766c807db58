//! The values of a game that was solved in memory, as a store: the scores of the solver. There is
//! no file that could be read, decompressed or damaged.

use std::path::Path;

use retrograde_game::{Index, Stored, Turns};
use retrograde_solve::{Progress, Scores};
use retrograde_table::{Counts, StartValue, TableError};

use crate::{StoreFacts, ValueStore};

/// The scores of all indices.
pub(crate) struct InMemory {
    pub scores: Scores,
    pub counts: Counts,
    pub start: StartValue,
    pub seconds: f64,
    pub horizon: Option<Turns>,
    /// The number of indices of prelude positions, which come last.
    pub prelude: u64,
}

impl ValueStore for InMemory {
    fn facts(&self) -> StoreFacts<'_> {
        let place_count = self.scores.len() as u64 - self.prelude;
        StoreFacts {
            seconds: Some(self.seconds),
            horizon: self.horizon,
            prelude_count: self.prelude,
            has_all_positions: true,
            ..StoreFacts::new(Path::new("memory"), &self.counts, place_count)
        }
    }

    fn stamp(&self) -> String {
        format!("memory {}", self.seconds)
    }

    fn start(&self) -> Option<StartValue> {
        Some(self.start)
    }

    fn get(&self, index: Index) -> Result<Stored, TableError> {
        // As in a table, an index past the end has no value.
        let known = index.0 < self.scores.len() as u64;
        Ok(if known { self.scores.stored(index) } else { Stored::Nothing })
    }

    fn memory(&self) -> u64 {
        let bytes = match &self.scores {
            Scores::Narrow(_) => 1,
            Scores::Wide(_) => 2,
        };
        bytes * self.scores.len() as u64
    }

    fn limit_cache(&mut self, _bytes: u64) {}

    fn check(&self, _progress: &dyn Progress) -> Result<(u64, Vec<TableError>), TableError> {
        Ok((0, Vec::new()))
    }
}
