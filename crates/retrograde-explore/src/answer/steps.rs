//! A turn that is made step by step.

use crate::{GivenPage, Source, Verdict};
use schemars::JsonSchema;
use serde::Serialize;

/// A turn that is being made step by step, and the steps that may follow (only over HTTP).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Steps {
    /// The canonical name of the game.
    pub game: String,
    /// The position, seen by the side to move.
    pub position: String,
    /// The same as the first player sees it.
    pub board: String,
    /// The player to move.
    #[schemars(with = "crate::answer::words::Player")]
    pub to_move: &'static str,
    /// The value of the position for the side to move, regardless of the steps made.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The source of the value.
    pub source: Source,
    /// Steps made so far.
    pub prefix: Vec<String>,
    /// The parts of the longest turns, such as `Move`, `Move`, `Push`; empty if a turn is one step.
    pub parts: Vec<&'static str>,
    /// The part of the list in this answer; omitted if it is whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<GivenPage>,
    /// The steps that may follow, best first.
    pub steps_available: Vec<StepValue>,
    /// True if a limit was reached: there may be more than the answer lists and counts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
}

/// A step that may follow; `outcome` and `turns` are the best that the turn can still have, for the
/// player who makes it, and count it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct StepValue {
    /// The step as written within a turn.
    pub step: String,
    /// The kind of step.
    #[schemars(extend("enum" = ["move", "push", "place", "fill", "step"]))]
    pub kind: &'static str,
    /// Whether it completes the turn.
    pub ends: bool,
    /// A best turn that can follow from the step: the shortest one to its position, so it may not contain the
    /// step.
    pub turn: String,
    /// The same as the first player sees it.
    pub turn_on_board: String,
    /// The squares to touch, in order, as the first player sees them; of a placement, in the order of
    /// `to_place` in the view.
    pub squares: Vec<String>,
    /// Whether the squares may be touched in any order.
    pub any_order: bool,
    /// The position it leads to, seen by the other player.
    pub position: String,
    /// The value of that turn to the player who makes it; the turn itself is counted.
    #[serde(flatten)]
    pub verdict: Verdict,
}
