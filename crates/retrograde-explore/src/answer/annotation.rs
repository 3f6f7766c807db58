//! A played turn with a mark.

use crate::Verdict;
use serde::Serialize;

/// A turn of a played game, with its value and a mark (`annotate`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "description", derive(schemars::JsonSchema))]
pub struct Annotation {
    /// The turn as it was written.
    pub turn: String,
    /// The turn as Retrograde writes it, as the first player sees it.
    pub turn_on_board: String,
    /// The player who made it.
    #[cfg_attr(feature = "description", schemars(with = "crate::answer::words::Player"))]
    pub player: &'static str,
    /// The position it led to, seen by the other player.
    pub position: String,
    /// The value before, for the player who made it.
    pub before: Verdict,
    /// The value of the turn, for the player who made it.
    pub after: Verdict,
    /// `!` the only turn that keeps the outcome, `?` a worse outcome, `?!` the same outcome but
    /// later (a win) or sooner (a loss) than necessary, empty otherwise.
    #[cfg_attr(feature = "description", schemars(extend("enum" = ["", "!", "?", "?!"])))]
    pub mark: &'static str,
    /// A best turn in the coordinates of the player who makes it; null if this turn was one.
    pub better: Option<String>,
    /// The same as the first player sees it.
    pub better_on_board: Option<String>,
    /// Its value, for the player who would have made it.
    pub better_value: Option<Verdict>,
    /// One or two sentences about the turn, for people; the players are Red (first) and Blue (second).
    /// Empty if there is nothing to say.
    pub comment: String,
}
