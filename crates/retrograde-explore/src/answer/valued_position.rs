//! A position with its value: what every answer about one position begins with.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Player, ShadeOfDraw, Source, Verdict};

/// A position with its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ValuedPosition {
    /// The canonical name of the game.
    pub game: String,
    /// The position, seen by the side to move.
    #[serde(rename = "position")]
    pub text: String,
    /// The position as the first player sees it.
    pub board: String,
    /// The player to move.
    pub to_move: Player,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Its shade, if it is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shade: Option<ShadeOfDraw>,
    /// The source of the value.
    pub source: Source,
}
