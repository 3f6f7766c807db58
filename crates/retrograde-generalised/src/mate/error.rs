//! Why the least number of moves was not found.

/// Why the least number of moves was not found.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MateError {
    /// The search reached its limit of memory.
    #[error("the search took all of its memory; at least {at_least} moves are needed")]
    Memory {
        /// A lower bound of the number of moves.
        at_least: u32,
    },
    /// The solver failed.
    #[error("the SAT solver gave no answer: {0}")]
    Solver(String),
}
