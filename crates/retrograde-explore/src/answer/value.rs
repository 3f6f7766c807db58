//! Values in answers.

use retrograde_game::{Knowledge, Outcome};
use schemars::JsonSchema;
use serde::Serialize;

/// An outcome and the turns to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Verdict {
    /// The outcome.
    #[schemars(with = "crate::answer::words::Outcome")]
    pub outcome: &'static str,
    /// Turns of both players to the end, with best play; null if drawn, unknown, or if the table has only
    /// outcomes. Placements do not count, but the first turn after them does.
    pub turns: Option<u16>,
}

impl From<Knowledge> for Verdict {
    fn from(knowledge: Knowledge) -> Verdict {
        Verdict {
            outcome: knowledge.outcome().map_or("unknown", Outcome::word),
            turns: knowledge.turns().map(|turns| turns.0),
        }
    }
}

impl Verdict {
    /// The outcome, if it is known.
    pub fn known(self) -> Option<Outcome> {
        Outcome::from_word(self.outcome)
    }
}

/// The source of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The table.
    Table,
    /// A search.
    Search,
    /// The rules: the game is over.
    Rules,
    /// A published result, for lack of a table.
    Published,
}
