//! The rules for drawing positions: their names and descriptions.

use serde::{Deserialize, Serialize};

/// A rule for drawing positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawRule {
    /// The same number of positions for each outcome and number of turns to the end.
    Depth,
    /// Exactly one of several turns wins; or exactly one keeps a draw or delays a loss longest.
    OnlyMove,
    /// The same number of wins, draws and losses; each position of an outcome is equally likely.
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

    /// The description of the rule.
    pub(crate) fn sentence(self) -> &'static str {
        match self {
            DrawRule::Depth => {
                "wins and losses by turns to the end, and draws: the same number of each kind, as far as the \
                 table has them"
            }
            DrawRule::OnlyMove => {
                "exactly one turn of several wins; or exactly one keeps a draw or delays a loss longest: the same number \
                 of both kinds, as far as the table has them"
            }
            DrawRule::Balanced => {
                "the same number of wins, draws and losses, as far as the table has them; each position of an \
                 outcome is equally likely"
            }
        }
    }
}
