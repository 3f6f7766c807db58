//! A position of an evaluation set, with all its turns.

use serde::Serialize;

use super::rule::DrawRule;
use crate::{Count, Verdict};

/// A turn with its value for the player who makes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct TurnRow {
    /// The turn, in the coordinates of the player who makes it.
    pub turn: String,
    /// The position it leads to, seen by the other player.
    pub position: String,
    /// Its value for the player who makes it; the turn itself is counted.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// A position with the values of all its turns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct EvaluationRow {
    /// Its index.
    pub index: Count,
    /// Its text, seen by the side to move.
    pub position: String,
    /// The smallest text of its images under the symmetries of the game: no other row of the set has
    /// it.
    pub orbit: String,
    /// The rule that has drawn it.
    pub rule: DrawRule,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// All turns, best first, then by their texts.
    pub turns_available: Vec<TurnRow>,
}
