//! How often a player has to find the only turn.

use crate::Count;
use schemars::JsonSchema;
use serde::Serialize;

/// How often exactly one turn holds (`survey`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct OnlyTurns {
    /// Positions that were looked at, including lost and finished ones.
    pub looked_at: Count,
    /// Whether these are all positions. Otherwise they are a random sample, the same in every run.
    pub all: bool,
    /// Of these, the positions that are won or drawn for the side to move, with at least two turns.
    pub choices: Count,
    /// Of these, the positions in which exactly one turn holds: the others lose, or draw instead of
    /// winning.
    pub only_turn: Count,
}
