//! How much room a position leaves: how many of its turns hold, and how many replies hold after each
//! of them.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{GivenPage, ShadeOfDraw, ValuedPosition, Verdict};

/// The number of turns by their outcome for the player who makes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct TurnsByOutcome {
    /// All turns.
    pub all: u64,
    /// Turns that win.
    pub win: u64,
    /// Turns that draw.
    pub draw: u64,
    /// Turns that lose.
    pub loss: u64,
    /// Turns whose outcome is unknown.
    pub unknown: u64,
}

/// A position with the turns that hold its outcome, and the replies that each of them leaves to the
/// opponent (`probe --pressure`). A turn or a reply holds if it keeps the outcome.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Pressure {
    /// The position and its value.
    #[serde(flatten)]
    pub position: ValuedPosition,
    /// All its turns.
    pub turns_by_outcome: TurnsByOutcome,
    /// Turns that hold.
    pub holding: u64,
    /// The part of the list in this answer; omitted if it is whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<GivenPage>,
    /// The holding turns, best first.
    pub holding_turns: Vec<HoldingTurn>,
    /// True if a limit was reached: there may be more than the answer lists and counts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
}

/// A turn that holds, and what it leaves to the opponent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct HoldingTurn {
    /// The turn, in its player's coordinates.
    pub turn: String,
    /// The turn as the first player sees it.
    pub turn_on_board: String,
    /// The position it leads to, seen by the other player.
    pub position: String,
    /// Its value to the player who makes it; the turn itself is counted.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Its shade, for its player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shade: Option<ShadeOfDraw>,
    /// The opponent's replies.
    pub replies: TurnsByOutcome,
    /// Replies that hold.
    pub holding: u64,
    /// The reply that holds, if only one of several does, as the first player sees it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only_reply: Option<String>,
}
