//! The result of checking a table.

use crate::Count;
use serde::Serialize;

/// The result of a check: its extent, and every error found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Verification {
    /// The canonical name.
    pub game: String,
    /// Blocks whose checksums were compared.
    pub blocks: Count,
    /// Positions whose value was derived again from their successors.
    pub positions: Count,
    /// True if that was every position.
    pub full: bool,
    /// The proof, or the reason why there is none, in one sentence.
    pub proof: String,
    /// True if the table is proved.
    pub proved: bool,
    /// The errors; empty if all is well. At most some hundred are listed.
    pub errors: Vec<String>,
    /// The number of all errors.
    pub error_count: Count,
}

/// Errors that are listed.
const LISTED: usize = 100;

/// The findings of a check.
#[derive(Default)]
pub struct Findings {
    /// Positions whose values were derived again.
    pub positions: u64,
    /// Errors, not more than some.
    pub errors: Vec<String>,
    /// The number of all errors.
    pub error_count: u64,
}

impl Findings {
    pub(crate) fn error(&mut self, error: impl FnOnce() -> String) {
        self.error_count += 1;
        if self.errors.len() < LISTED {
            self.errors.push(error());
        }
    }

    pub(crate) fn merge(&mut self, other: Findings) {
        self.positions += other.positions;
        self.error_count += other.error_count;
        self.errors.extend(other.errors);
        self.errors.truncate(LISTED);
    }
}
