//! Positions with a value.

use crate::{Count, Verdict};
use retrograde_game::Outcome;
use schemars::JsonSchema;
use serde::Serialize;

/// The positions to find.
#[derive(Clone, Debug)]
pub struct FindQuery {
    /// The outcome.
    pub outcome: Outcome,
    /// The turns to the end; any if `None`.
    pub turns: Option<u16>,
    /// At random, with this seed, instead of by index.
    pub random: Option<u64>,
    /// The most to find.
    pub limit: u64,
}

/// A position with the wanted value (`find`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Found {
    /// Its index.
    pub index: Count,
    /// The position, seen by the side to move.
    pub position: String,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
}
