//! The number of a position.

use crate::Count;
use serde::Serialize;

/// The number of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NumberedPosition {
    /// The canonical name.
    pub game: String,
    /// The position.
    pub position: String,
    /// Its index; `None` if the numbering leaves it out.
    pub index: Option<Count>,
    /// Further numberings of this position: name and JSON value.
    #[serde(flatten)]
    pub further: serde_json::Map<String, serde_json::Value>,
}
