//! A position of an evaluation set, with all its turns: a row of its files.

use retrograde_game::Outcome;
use serde::{Deserialize, Serialize};

use super::rule::DrawRule;
use crate::Count;

/// A turn with its value for the player who makes it. No field has the name of one of [`EvaluationRow`], so that
/// turns can become rows of a table that also has the fields of their position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TurnRow {
    /// The turn, in the coordinates of the player who makes it.
    pub turn: String,
    /// The position it leads to, as the other player sees it.
    pub turn_position: String,
    /// Its outcome for the player who makes it.
    #[serde(with = "word")]
    pub turn_outcome: Outcome,
    /// The turns to the end, including this one, if they are known.
    pub turn_turns: Option<u16>,
}

/// A position with the values of all its turns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EvaluationRow {
    /// Its index.
    pub index: Count,
    /// Its text, as the side to move sees it.
    pub position: String,
    /// The smallest text of its images under the symmetries of the game. It is different in each row of a
    /// set.
    pub orbit: String,
    /// The rule that drew it.
    pub rule: DrawRule,
    /// Its outcome for the side to move.
    #[serde(with = "word")]
    pub outcome: Outcome,
    /// The turns to the end, if they are known.
    pub turns: Option<u16>,
    /// Its planes, each a list of rows, from the top; empty if the game describes none, and in a row that was
    /// read from a file.
    #[serde(skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    pub planes: Vec<Vec<Vec<u8>>>,
    /// All turns, at least one, best first; of equally good ones, those of fewer steps first, then by text.
    pub turns_available: Vec<TurnRow>,
}

/// An outcome as a word.
mod word {
    use retrograde_game::Outcome;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(outcome.word())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
        let word = String::deserialize(deserializer)?;
        Outcome::from_word(&word).ok_or_else(|| D::Error::custom(format!("“{word}” is not an outcome")))
    }
}
