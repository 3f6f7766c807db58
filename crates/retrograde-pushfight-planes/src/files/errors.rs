//! Turns errors of files into errors of a solve.

use retrograde_solve::SolveError;
use retrograde_table::TableError;

/// Converts an error of a table to one of the solver.
pub(crate) trait IntoSolve {
    fn into_solve(self) -> SolveError;
}

impl IntoSolve for TableError {
    fn into_solve(self) -> SolveError {
        SolveError::Checkpoint(self.into())
    }
}
