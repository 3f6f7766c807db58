//! Errors in a request for a numbering.

/// Why there is no such numbering, or no such number in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IndexError {
    /// The arrangements are more than 64 bits can number.
    #[error("there are more arrangements than 64 bits can number")]
    TooMany,
    /// The table of states would take too much memory.
    #[error("the numbering needs a table of {states} states, and {limit} are allowed")]
    TooManyStates {
        /// States needed.
        states: u128,
        /// States allowed.
        limit: u128,
    },
    /// Codes are bytes and tables have rows of at most 16 of them.
    #[error("{codes} codes are too many, {limit} are allowed")]
    TooManyCodes {
        /// Codes asked for.
        codes: usize,
        /// Codes allowed.
        limit: usize,
    },
    /// A set of squares has at most 64 of them.
    #[error("{squares} squares are too many, 64 are allowed")]
    TooManySquares {
        /// Squares asked for.
        squares: u32,
    },
    /// More pieces than squares.
    #[error("{pieces} pieces do not fit on {squares} squares")]
    TooManyPieces {
        /// Pieces asked for.
        pieces: u64,
        /// Squares of the board.
        squares: u32,
    },
    /// Two blocks have the same counts.
    #[error("block {block} (from 0) has the same counts as one before it")]
    RepeatedBlock {
        /// The second of the two.
        block: usize,
    },
    /// A list that ought to be a permutation is none.
    #[error("a permutation of {squares} squares lists each of them once")]
    NoPermutation {
        /// Squares of the board.
        squares: usize,
    },
    /// A list of symmetries that is not closed, or empty.
    #[error("these symmetries are no group")]
    NoGroup,
    /// More symmetries than anybody wants to try.
    #[error("the group has more than {limit} symmetries")]
    LargeGroup {
        /// Symmetries allowed.
        limit: usize,
    },
    /// The counts per colour do not add up to the number of squares.
    #[error("the counts add up to {sum}, the board has {squares} squares")]
    WrongSum {
        /// Sum of the counts.
        sum: u64,
        /// Squares of the board.
        squares: usize,
    },
}
