//! A position of an evaluation set, with all its turns.

use serde::Serialize;

use super::rule::DrawRule;
use crate::{Count, Verdict};

/// A turn with its value for the player who makes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct TurnRow {
    /// The turn, in the coordinates of the player who makes it.
    pub turn: String,
    /// The position it leads to, as the other player sees it.
    pub position: String,
    /// Its value for the player who makes it. The turn itself counts.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// A position with the values of all its turns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct EvaluationRow {
    /// Its index.
    pub index: Count,
    /// Its text, as the side to move sees it.
    pub position: String,
    /// The smallest text of its images under the symmetries of the game. It is different in each row of a
    /// set.
    pub orbit: String,
    /// The rule that drew it.
    pub rule: DrawRule,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// All turns, best first; of equally good ones, those of fewer steps first, then by text.
    pub turns_available: Vec<TurnRow>,
}
