//! A turn that is made step by step.

use crate::{GivenPage, Source, Verdict};
use serde::Serialize;

/// A turn that is being made step by step, and how it can go on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Steps {
    /// The canonical name of the game.
    pub game: String,
    /// The position before the turn, seen by the side to move.
    pub position: String,
    /// The same as the first player sees it.
    pub board: String,
    /// The player to move.
    pub to_move: &'static str,
    /// The value of the position for the side to move, whatever steps were made.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The source of the value.
    pub source: Source,
    /// Steps made so far.
    pub begun: Vec<String>,
    /// The parts of a whole turn, at most: `Move`, `Move`, `Push`. Empty where a turn is one step.
    pub parts: Vec<&'static str>,
    /// The part of the steps that is given; absent where all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<GivenPage>,
    /// Every step that may follow, or those of the page, best first, then by their texts.
    pub steps_available: Vec<StepValue>,
    /// True if a limit ended the list of steps, or of the turns that they can become: there are more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
}

/// A step that may follow, with the best value that the turn can still have.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StepValue {
    /// The step, as it is written within a turn.
    pub step: String,
    /// Its kind: `move`, `push`, `place`, `fill` or `step`.
    pub kind: &'static str,
    /// Whether the turn is whole with it.
    pub ends: bool,
    /// A best whole turn that it can become, as `probe` has it: of those that lead to the same
    /// position the shortest, so it need not contain this step.
    pub turn: String,
    /// The same as the first player sees it.
    pub turn_on_board: String,
    /// The squares of the step as the first player sees them, in the order in which they are
    /// touched; of a placement piece by piece, as [`View::to_place`](crate::View::to_place) lists
    /// them.
    pub squares: Vec<String>,
    /// Whether the squares may be touched in another order: they are filled, and nothing goes from
    /// one to another.
    pub any_order: bool,
    /// The position which that turn leads to, seen by the other player.
    pub position: String,
    /// The value of that turn to the player who makes it; the turn itself is counted.
    #[serde(flatten)]
    pub verdict: Verdict,
}
