//! A game in a list or a heading.

use crate::Count;
use serde::Serialize;

/// A game, described for lists and headings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct About {
    /// The canonical name.
    pub game: String,
    /// A description in one sentence.
    pub summary: String,
    /// Legal positions, finished ones included.
    pub positions: Count,
    /// Whether `positions` counts positions that are images of each other once.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub positions_up_to_symmetry: bool,
    /// Indices of its dense numbering, `None` if it has none.
    pub indices: Option<Count>,
    /// The position in which the game begins.
    pub start: String,
    /// Further numberings, for `--numbering`.
    pub numberings: Vec<String>,
}
