//! Turns errors of files into errors of a solve.

use retrograde_solve::SolveError;
use retrograde_table::TableError;

/// An error of the table's as one of the solver's.
pub(crate) trait IntoSolve {
    fn into_solve(self) -> SolveError;
}

impl IntoSolve for TableError {
    fn into_solve(self) -> SolveError {
        SolveError::Checkpoint(self.into())
    }
}
