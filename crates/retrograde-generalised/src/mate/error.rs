//! The error of a search for the least number of moves.

/// The reason why the least number of moves was not found.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MateError {
    /// The search reached its memory limit.
    #[error("the search reached its memory limit; at least {at_least} moves are needed")]
    Memory {
        /// A lower bound for the number of moves.
        at_least: u32,
    },
    /// The solver failed.
    #[error("the SAT solver failed: {0}")]
    Solver(String),
}
