//! A certificate that a side never loses: how it was made, and how large it is.

use schemars::JsonSchema;
use serde::Serialize;

use crate::Count;

/// The size of a set of positions while it was being closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Growth {
    /// Positions that have a turn.
    pub with_turn: Count,
    /// Positions that still need one.
    pub waiting: Count,
    /// Different positions after those turns.
    pub after_turns: Count,
}

/// A set of positions with one turn each, which proves that a side never loses, or the part of it that
/// was found (`certificate`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Certificate {
    /// The canonical name of the game.
    pub game: String,
    /// The side that never loses.
    #[schemars(with = "crate::answer::words::Player")]
    pub side: &'static str,
    /// Whether the set is closed; if not, the exit status is 1.
    pub closed: bool,
    /// Positions in the set, including those that still need a turn.
    pub positions: Count,
    /// Different positions after those turns.
    pub after_turns: Count,
    /// The size of the set after the first pass and after each pass that shrank it.
    pub passes: Vec<Count>,
    /// The first pass: the set each time its size had doubled, and at the end.
    pub growth: Vec<Growth>,
    /// The certificate file; null if the set is not closed.
    pub file: Option<String>,
    /// Its size in bytes.
    pub bytes: Option<Count>,
    /// Its checksum: 16 hexadecimal digits.
    pub checksum: Option<String>,
}
