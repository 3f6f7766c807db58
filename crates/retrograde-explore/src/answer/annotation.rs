//! A played turn with a mark.

use crate::Verdict;
use serde::Serialize;

/// A turn of a played game, with its value and a mark.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Annotation {
    /// The turn as it was written.
    pub turn: String,
    /// The turn as it is printed, as the first player sees it.
    pub turn_on_board: String,
    /// The player who made it.
    pub player: &'static str,
    /// The position it led to, seen by the other player.
    pub position: String,
    /// The value before, for the player who made it.
    pub before: Verdict,
    /// The value of the turn, for the player who made it.
    pub after: Verdict,
    /// `!` the only turn that keeps the outcome, `?` a worse outcome, `?!` the same outcome but
    /// later (a win) or sooner (a loss) than need be, empty otherwise.
    pub mark: &'static str,
    /// A best turn, where this was not one, in its maker's own coordinates.
    pub better: Option<String>,
    /// The same as the first player sees it.
    pub better_on_board: Option<String>,
    /// Its value, for the player who would have made it.
    pub better_value: Option<Verdict>,
    /// One or two sentences about the turn, for people; empty if there is nothing to say.
    pub comment: String,
}
