//! Values in answers: of positions, and of a game without a table.

use retrograde_game::{Knowledge, Outcome};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Player, ShadeOfDraw};

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

/// A position with its value: the beginning of every answer about one position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ValuedPosition {
    /// The canonical name of the game.
    pub game: String,
    /// The position, seen by the side to move.
    #[serde(rename = "position")]
    pub text: String,
    /// The position as the first player sees it.
    pub board: String,
    /// The player to move.
    pub to_move: Player,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Its shade, if it is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shade: Option<ShadeOfDraw>,
    /// The source of the value.
    pub source: Source,
}

/// The value of the start of a game, from published results.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Known {
    /// The value, for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// One or two sentences about it.
    pub text: String,
}
