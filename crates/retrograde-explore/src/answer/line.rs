//! One best line.

use crate::{Source, Verdict};
use schemars::JsonSchema;
use serde::Serialize;

/// One step of a line: a position with its value, and the turn that is made there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LineStep {
    /// The position, seen by the side to move.
    pub position: String,
    /// The same as the first player sees it.
    pub board: String,
    /// The player to move.
    #[schemars(with = "crate::answer::words::Player")]
    pub to_move: &'static str,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The turn, in its player's coordinates.
    pub turn: String,
    /// The turn as the first player sees it.
    pub turn_on_board: String,
}

/// One best line (`line`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Line {
    /// The canonical name of the game.
    pub game: String,
    /// The position before the first turn.
    pub position: String,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The source of the value.
    pub source: Source,
    /// The turns.
    pub line: Vec<LineStep>,
    /// The last position.
    pub end: String,
    /// The same as the first player sees it.
    pub end_board: String,
    /// The player to move there.
    #[schemars(with = "crate::answer::words::Player")]
    pub end_to_move: &'static str,
    /// Why the line ends there: the game is `over`, a draw `repeats` a position, the next value is
    /// `unknown`, or the line reached a `limit` of turns or time.
    #[schemars(extend("enum" = ["over", "repeats", "unknown", "limit"]))]
    pub ends: &'static str,
}
