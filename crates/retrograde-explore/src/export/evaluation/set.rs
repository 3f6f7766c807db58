//! An evaluation set that was written.

use super::split::Split;

/// A file of an evaluation set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvaluationFile {
    /// Its name in the folder.
    pub name: String,
    /// Its part of the set.
    pub split: Split,
    /// Positions in it.
    pub rows: u64,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: String,
}

/// An evaluation set that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvaluationSet {
    /// Positions in all splits.
    pub rows: u64,
    /// Whether the game declares symmetries; if not, each position is its own only image.
    pub has_symmetries: bool,
    /// The files with rows; beside them are `README.md` and `SHA256SUMS`.
    pub files: Vec<EvaluationFile>,
}
