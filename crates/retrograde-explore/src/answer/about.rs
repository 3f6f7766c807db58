//! A game in a list or a heading.

use crate::Count;
use schemars::JsonSchema;
use serde::Serialize;

/// A game (`games`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct About {
    /// The canonical name of the game.
    pub game: String,
    /// The game in one sentence.
    pub summary: String,
    /// Legal positions, including finished ones.
    pub positions: Count,
    /// True if `positions` counts up to symmetry.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub positions_up_to_symmetry: bool,
    /// Indices of the dense numbering; null without one.
    pub indices: Option<Count>,
    /// The starting position.
    pub start: String,
    /// Other numberings that `--numbering` accepts.
    pub numberings: Vec<String>,
}
