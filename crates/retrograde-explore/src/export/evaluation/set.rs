//! A summary of a written evaluation set.

use super::split::Split;

/// A file of an evaluation set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvaluationFile {
    /// Its name in the folder.
    pub name: String,
    /// Its split.
    pub split: Split,
    /// The number of its positions.
    pub rows: u64,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: String,
}

/// A written evaluation set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvaluationSet {
    /// The number of positions in all splits.
    pub rows: u64,
    /// Whether the game declares symmetries. If not, each position has no image but itself.
    pub has_symmetries: bool,
    /// The files with rows. `README.md` and `SHA256SUMS` are in the same folder.
    pub files: Vec<EvaluationFile>,
}
