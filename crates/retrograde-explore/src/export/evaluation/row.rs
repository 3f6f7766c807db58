//! A position of an evaluation set, with all its turns.

use serde::Serialize;

use super::rule::DrawRule;
use crate::{Count, TurnValue, Verdict};

/// A turn with its value for the player who makes it. No field has the name of one of [`EvaluationRow`], so that
/// turns can become rows of a table that also has the fields of their position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct TurnRow {
    /// The turn, in the coordinates of the player who makes it.
    pub turn: String,
    /// The position it leads to, as the other player sees it.
    pub turn_position: String,
    /// Its outcome for the player who makes it.
    pub turn_outcome: &'static str,
    /// The turns to the end, including this one.
    pub turn_turns: Option<u16>,
}

impl From<TurnValue> for TurnRow {
    fn from(value: TurnValue) -> TurnRow {
        let TurnValue { turn, position, verdict, .. } = value;
        TurnRow { turn, turn_position: position, turn_outcome: verdict.outcome, turn_turns: verdict.turns }
    }
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
    /// Its planes, each a list of rows, from the top; empty if the game describes none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub planes: Vec<Vec<Vec<u8>>>,
    /// All turns, best first; of equally good ones, those of fewer steps first, then by text.
    pub turns_available: Vec<TurnRow>,
}
