//! A certificate that a side never loses: how it was made, and how large it is.

use serde::Serialize;

use crate::Count;

/// The size of a set of positions while it was being closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Growth {
    /// Positions that have their turn.
    pub with_turn: Count,
    /// Positions that wait for one.
    pub waiting: Count,
    /// Different positions that those turns lead to.
    pub after_turns: Count,
}

/// A set of positions with one turn each by which a side never loses, or how far it got.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Certificate {
    /// The canonical name.
    pub game: String,
    /// The side that never loses: `first` or `second`.
    pub side: &'static str,
    /// Whether the set is closed. Only then there is a file.
    pub closed: bool,
    /// Positions in the set, those that wait for their turn included.
    pub positions: Count,
    /// Different positions that the turns lead to.
    pub after_turns: Count,
    /// The positions in the set after the first pass and after each that made it smaller.
    pub passes: Vec<Count>,
    /// The first pass: its size each time it had doubled, and at the end.
    pub growth: Vec<Growth>,
    /// The file that was written.
    pub file: Option<String>,
    /// Its size.
    pub bytes: Option<Count>,
    /// Its checksum, as its last line has it.
    pub checksum: Option<String>,
}
