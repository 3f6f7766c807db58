//! Errors when creating a numbering.

/// The reason why a numbering cannot be created.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IndexError {
    /// There are more arrangements than 64 bits can number.
    #[error("there are more arrangements than 64 bits can number")]
    TooMany,
    /// The table of states would take too much memory.
    #[error("the numbering needs a table of {states} states, but at most {limit} are allowed")]
    TooManyStates {
        /// The number of states needed.
        states: u128,
        /// The most states allowed.
        limit: u128,
    },
    /// There are too many codes: codes are bytes, and rows of tables have at most 16 of them.
    #[error("{codes} codes are too many; at most {limit} are allowed")]
    TooManyCodes {
        /// The number of codes requested.
        codes: usize,
        /// The most codes allowed.
        limit: usize,
    },
    /// There are too many squares: a set has at most 64.
    #[error("{squares} squares are too many; at most 64 are allowed")]
    TooManySquares {
        /// The number of squares requested.
        squares: u32,
    },
    /// There are more pieces than squares.
    #[error("{pieces} pieces do not fit on {squares} squares")]
    TooManyPieces {
        /// The number of pieces requested.
        pieces: u64,
        /// The number of squares of the board.
        squares: u32,
    },
    /// Two blocks have the same counts.
    #[error("block {block} (from 0) has the same counts as an earlier one")]
    RepeatedBlock {
        /// The second of the two.
        block: usize,
    },
    /// The list is not a permutation.
    #[error("a permutation of {squares} squares must list each of them once")]
    NotAPermutation {
        /// The number of squares of the board.
        squares: usize,
    },
    /// The list of symmetries is empty or not closed.
    #[error("these symmetries are not a group")]
    NotAGroup,
    /// There are too many symmetries.
    #[error("the group has more than {limit} symmetries")]
    LargeGroup {
        /// The most symmetries allowed.
        limit: usize,
    },
    /// The counts per colour do not add up to the number of squares.
    #[error("the counts add up to {sum}, but the board has {squares} squares")]
    WrongSum {
        /// The sum of the counts.
        sum: u64,
        /// The number of squares of the board.
        squares: usize,
    },
}
