//! One file of a data set being written, row by row.

use std::path::PathBuf;

use retrograde_game::{Knowledge, Outcome};

use crate::{Error, Row};

/// One kind of file being written.
pub(super) trait Sink {
    /// Adds a row.
    fn row(&mut self, row: &Row<'_>) -> Result<(), Error>;
    /// Completes the files under their final names; until then they have temporary ones.
    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, Error>;
}

/// The outcome as a word, as in data sets; empty if unknown.
pub(super) fn outcome_word(knowledge: Knowledge) -> &'static str {
    knowledge.outcome().map_or("", Outcome::word)
}
