//! A played turn with a mark.

use crate::Verdict;
use schemars::JsonSchema;
use serde::Serialize;

/// A turn of a played game, with its value and a mark (`annotate`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Annotation {
    /// The turn as it was written.
    pub turn: String,
    /// The turn as the first player sees it.
    pub turn_on_board: String,
    /// The player who made it.
    #[schemars(with = "crate::answer::words::Player")]
    pub player: &'static str,
    /// The position it led to, seen by the other player.
    pub position: String,
    /// The value before the turn, for its player.
    pub before: Verdict,
    /// The value after it, for the same player.
    pub after: Verdict,
    /// `!` the only turn that keeps the outcome and does not repeat a position, `?` a worse outcome,
    /// `?!` the same outcome but later (a win) or sooner (a loss) than necessary, empty otherwise.
    #[schemars(extend("enum" = ["", "!", "?", "?!"]))]
    pub mark: &'static str,
    /// A best turn, in its player's coordinates; null if this was one.
    pub better: Option<String>,
    /// The same as the first player sees it.
    pub better_on_board: Option<String>,
    /// Its value for the same player.
    pub better_value: Option<Verdict>,
    /// A comment for people; may be empty.
    pub comment: String,
}
