//! An archive: the values of a solved game in files of its solver's own, where a table of all
//! indices would be too large.

use std::ops::Range;

use retrograde_game::{Index, Knowledge, Outcome, Stored, Turns};
use retrograde_solve::{Progress, SolveError};
use retrograde_table::{Counts, StartValue, TableError};

use crate::{Error, Findings, Phase, Resources};

/// Hears of a position by its index; says whether to go on.
pub type VisitIndex<'a> = dyn FnMut(Index) -> Result<bool, Error> + 'a;

/// Values that were found before anyone asks for them.
pub trait BulkValues: Send + Sync {
    /// The value of a position.
    fn value(&self, index: Index) -> Knowledge;
}

/// A solution in files.
pub trait Archive: Send + Sync {
    /// The value of a position without a look at its turns. [`Stored::Nothing`]: only they tell.
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged.
    fn get(&self, index: Index) -> Result<Stored, TableError>;

    /// Whether that tells wins and draws from each other as well, at least of what the statistics
    /// count.
    fn has_wins(&self) -> bool {
        false
    }

    /// The value of a position, if need be after a look at its turns and theirs.
    /// [`Stored::Nothing`]: whoever asks has to look at them.
    ///
    /// # Errors
    /// As [`Archive::get`].
    fn value(&self, index: Index) -> Result<Stored, TableError>;

    /// Where in its files what decides a position stands: of two that have places near to each
    /// other, nearly the same parts are read.
    fn place(&self, index: Index) -> u64 {
        index.0
    }

    /// The value of a position that has no index, by its text.
    ///
    /// # Errors
    /// As [`Archive::get`].
    fn unnumbered(&self, position: &str) -> Result<Stored, TableError>;

    /// A text that differs where the values do, such as a checksum.
    fn stamp(&self) -> String;

    /// The statistics. Files that came without any have all positions as unknown ones, until they
    /// are counted.
    fn counts(&self) -> &Counts;

    /// Counts what the statistics need, where files came without; this reads all of them. What was
    /// counted is there when they are opened again.
    ///
    /// # Errors
    /// If it is stopped, or a file cannot be read, or is damaged.
    fn count(&self, _threads: usize, _progress: &dyn Progress) -> Result<(), Error> {
        Ok(())
    }

    /// Names in a few words the positions that the statistics count: "plausible positions".
    fn counted(&self) -> &str;

    /// The numbers of all positions, where the statistics leave some out and [`Archive::count_all`]
    /// has counted those.
    fn all(&self) -> Option<Counts> {
        None
    }

    /// Counts the positions that the statistics leave out, if they leave out any and that has not
    /// been done.
    ///
    /// # Errors
    /// If it is stopped, does not fit into memory, or a file cannot be read or written.
    fn count_all(&self, _room: &Resources<'_>) -> Result<(), SolveError> {
        Ok(())
    }

    /// Derives everything again that the files say. `None` if there is no better way than position
    /// by position, or it does not fit into memory.
    fn prove(&self, _room: &Resources<'_>) -> Option<Result<Findings, SolveError>> {
        None
    }

    /// Finds the values of all positions with indices in a range together. `None` if it is quicker
    /// to ask for one after the other, or it does not fit into memory.
    fn bulk_values(
        &self,
        _indices: Range<u64>,
        _room: &Resources<'_>,
    ) -> Option<Result<Box<dyn BulkValues>, SolveError>> {
        None
    }

    /// The value of the start, where it is known.
    fn start(&self) -> Option<StartValue>;

    /// Seconds that solving took.
    fn seconds(&self) -> f64;

    /// After how many turns solving was ended, if it was.
    fn horizon(&self) -> Option<u16>;

    /// The indices of the game proper.
    fn indices(&self) -> u64;

    /// The phases.
    fn phases(&self) -> Vec<Phase>;

    /// Visits positions that may have a value, up to symmetry; every such position has an image
    /// among them. `false` if there is no better way than to look at all positions.
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged; what `visit` says.
    fn candidates(
        &self,
        outcome: Outcome,
        turns: Option<Turns>,
        visit: &mut VisitIndex<'_>,
    ) -> Result<bool, Error>;

    /// Reads everything once: the number of blocks, and what is wrong with some.
    ///
    /// # Errors
    /// The errors of the system.
    fn check(&self, progress: &dyn Progress) -> Result<(u64, Vec<TableError>), TableError>;
}
