//! Numbers and values as answers have them.

use retrograde_game::{Knowledge, Outcome};
use serde::{Serialize, Serializer};

/// A number of positions. In JSON a number, or a string where it is above 2⁵³ and a program could
/// lose digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Count(pub u128);

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(small) if small <= 1 << 53 => serializer.serialize_u64(small),
            _ => serializer.collect_str(&self.0),
        }
    }
}

/// An outcome and the turns to the end, as JSON has them: `"outcome"` one of `win`, `loss`, `draw`
/// and `unknown`, `"turns"` a number or null.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Verdict {
    /// `win`, `loss`, `draw` or `unknown`.
    pub outcome: &'static str,
    /// Turns to the end; `None` when drawn or not known.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The table.
    Table,
    /// A search.
    Search,
    /// The rules: the game is over.
    Rules,
}
