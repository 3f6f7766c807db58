//! The value of a game that is known without a table.

use crate::Verdict;
use schemars::JsonSchema;
use serde::Serialize;

/// The value of the start of a game, from published results.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Known {
    /// The value, for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// One or two sentences about it.
    pub text: String,
}
