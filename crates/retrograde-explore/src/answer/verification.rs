//! The result of checking a table.

use crate::Count;
use schemars::JsonSchema;
use serde::Serialize;

/// The result of checking a table (`verify`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Verification {
    /// The canonical name of the game.
    pub game: String,
    /// File blocks whose checksums were compared.
    pub blocks: Count,
    /// Positions whose values were recomputed.
    pub positions: Count,
    /// Whether that was every position.
    pub full: bool,
    /// Why this proves the table, or why it does not.
    pub proof: String,
    /// Whether the table is proved.
    pub proved: bool,
    /// The errors, at most a hundred.
    pub errors: Vec<String>,
    /// The number of all errors.
    pub error_count: Count,
}

/// The maximum number of listed errors.
const MAX_LISTED: usize = 100;

/// The findings of a check.
#[derive(Default)]
pub struct Findings {
    /// Positions whose values were recomputed.
    pub positions: u64,
    /// The first errors, at most a hundred.
    pub errors: Vec<String>,
    /// The number of all errors.
    pub error_count: u64,
}

impl Findings {
    pub(crate) fn error(&mut self, error: impl FnOnce() -> String) {
        self.error_count += 1;
        if self.errors.len() < MAX_LISTED {
            self.errors.push(error());
        }
    }

    pub(crate) fn merge(&mut self, other: Findings) {
        self.positions += other.positions;
        self.error_count += other.error_count;
        self.errors.extend(other.errors);
        self.errors.truncate(MAX_LISTED);
    }
}
