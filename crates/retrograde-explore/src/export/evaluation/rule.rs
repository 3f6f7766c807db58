//! The rules by which positions are drawn: their names, and what they say.

use serde::{Serialize, Serializer};

/// The way in which positions are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawRule {
    /// As many of each outcome and number of turns to the end as of every other.
    Depth,
    /// Exactly one of several turns wins; or exactly one keeps a draw, or loses last.
    OnlyMove,
    /// As many wins as draws and losses, each position of an outcome equally likely.
    Balanced,
}

impl DrawRule {
    /// All rules, in the order in which they draw.
    pub const ALL: [DrawRule; 3] = [DrawRule::Depth, DrawRule::OnlyMove, DrawRule::Balanced];

    /// Its name: `depth`, `only-move` or `balanced`.
    pub fn word(self) -> &'static str {
        match self {
            DrawRule::Depth => "depth",
            DrawRule::OnlyMove => "only-move",
            DrawRule::Balanced => "balanced",
        }
    }

    /// The rule in a sentence.
    pub(crate) fn sentence(self) -> &'static str {
        match self {
            DrawRule::Depth => {
                "wins and losses by turns to the end, and draws: as many of each kind as of every other, as \
                 far as the table has them"
            }
            DrawRule::OnlyMove => {
                "exactly one turn of several wins; or exactly one keeps a draw, or loses last: as many of \
                 the first kind as of the second, as far as the table has them"
            }
            DrawRule::Balanced => {
                "wins, draws and losses, as many of each as of the others, as far as the table has them; each \
                 position of an outcome is equally likely"
            }
        }
    }
}

impl Serialize for DrawRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}
