//! The number of a position.

use crate::Count;
use schemars::JsonSchema;
use serde::Serialize;

/// The number of a position (`index`, `position`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct NumberedPosition {
    /// The canonical name of the game.
    pub game: String,
    /// The position, seen by the side to move.
    pub position: String,
    /// Its index; null if the numbering leaves it out.
    pub index: Option<Count>,
    /// Further numberings of this position: name and JSON value.
    #[schemars(with = "super::words::OtherNumbers")]
    #[serde(flatten)]
    pub further: serde_json::Map<String, serde_json::Value>,
}
