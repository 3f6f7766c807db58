//! One best line.

use crate::{Source, Verdict};
use serde::Serialize;

/// One step of a line: a position with its value, and the turn that is made there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LineStep {
    /// The position before the turn, seen by the side to move.
    pub position: String,
    /// The same as the first player sees it.
    pub board: String,
    /// The player to move.
    pub to_move: &'static str,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The turn.
    pub turn: String,
    /// The turn as the first player sees it.
    pub turn_on_board: String,
}

/// One best line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    /// The canonical name of the game.
    pub game: String,
    /// The position that the line begins with.
    pub position: String,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The source of the value.
    pub source: Source,
    /// The turns.
    pub line: Vec<LineStep>,
    /// The last position, seen by the side to move there.
    pub end: String,
    /// The same as the first player sees it.
    pub end_board: String,
    /// The player to move there.
    pub end_to_move: &'static str,
    /// Why the line ends there: `over`, `repeats` (a draw by going round), `unknown` (nothing more
    /// is known) or `limit` (as many turns as were asked for, or as there was time for).
    pub ends: &'static str,
}
