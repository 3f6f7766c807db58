//! Converts errors of tables to errors of the solver.

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
