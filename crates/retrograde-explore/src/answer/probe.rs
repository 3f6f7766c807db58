//! A position with its value and the value of every turn.

use crate::{GivenPage, ShadeOfDraw, ValuedPosition, Verdict};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;

/// Limits of a search, and of listing turns where there is no table. They never limit what is read from
/// a table.
#[derive(Clone, Debug)]
pub struct SearchLimits {
    /// Positions to look at. A list of turns is at most as long, or has 65,536 turns if that is more.
    pub nodes: u64,
    /// Time to take. Listing turns may take a second in any case.
    pub time: Duration,
    /// Turns of both players to look ahead; `None`: to the end.
    pub depth: Option<u16>,
}

impl SearchLimits {
    /// No limits.
    pub const NONE: SearchLimits = SearchLimits { nodes: u64::MAX, time: Duration::MAX, depth: None };
}

impl Default for SearchLimits {
    /// Ten million positions, five seconds.
    fn default() -> SearchLimits {
        SearchLimits { nodes: 10_000_000, time: Duration::from_secs(5), depth: None }
    }
}

/// A turn; `outcome` and `turns` are for the player who makes it, and count it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct TurnValue {
    /// The turn, in its player's coordinates.
    pub turn: String,
    /// The turn as the first player sees it.
    pub turn_on_board: String,
    /// The position it leads to, seen by the other player.
    pub position: String,
    /// Its value to the player who makes it; the turn itself is counted.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The nimber of the position it leads to, if found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<u32>,
    /// Its shade, for its player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shade: Option<ShadeOfDraw>,
}

/// A position with its value and the value of every turn (`probe`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Probe {
    /// The position and its value.
    #[serde(flatten)]
    pub position: ValuedPosition,
    /// Positions that were searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The nimber, if found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<u32>,
    /// The part of the list in this answer; omitted if it is whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<GivenPage>,
    /// The turns, best first.
    pub turns_available: Vec<TurnValue>,
    /// True if a limit was reached: there may be more than the answer lists and counts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
}
