//! An evaluation set: its options, its splits, and a summary of its files.

use sha2::{Digest, Sha256};

use super::rule::DrawRule;

/// The file format of an evaluation set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowsFormat {
    /// One JSON object per line.
    JsonLines,
    /// Apache Parquet, with the turns as a list.
    Parquet,
}

impl RowsFormat {
    /// The file extension, which is also the name: `jsonl` or `parquet`.
    pub(crate) fn word(self) -> &'static str {
        match self {
            RowsFormat::JsonLines => "jsonl",
            RowsFormat::Parquet => "parquet",
        }
    }
}

/// The options of an evaluation set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvaluationOptions {
    /// The number of positions in all splits together; fewer are drawn if the game does not have enough.
    pub positions: u64,
    /// The seed of all random choices.
    pub seed: u64,
    /// The rules for drawing, each for the same share of positions. Repeated rules count once.
    pub rules: Vec<DrawRule>,
    /// The formats to write.
    pub formats: Vec<RowsFormat>,
}

impl EvaluationOptions {
    /// The requested rules, each once, in the order in which they draw.
    pub(super) fn rules_in_order(&self) -> impl Iterator<Item = DrawRule> {
        DrawRule::ALL.into_iter().filter(|rule| self.rules.contains(rule))
    }
}

/// A split of an evaluation set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Split {
    /// 80%.
    Train,
    /// 10%.
    Validation,
    /// 10%.
    Test,
}

impl Split {
    /// All splits, in the order in which files are listed.
    pub const ALL: [Split; 3] = [Split::Train, Split::Validation, Split::Test];

    /// Its name, also used in file names.
    pub fn word(self) -> &'static str {
        match self {
            Split::Train => "train",
            Split::Validation => "validation",
            Split::Test => "test",
        }
    }

    /// The split of a position, given its smallest image. It depends neither on the seed nor on the size of
    /// a set, so no position is in the training split of one set and in the test split of another.
    pub(crate) fn of(game: &str, orbit: &str) -> Split {
        let digest = Sha256::digest(format!("{game}\n{orbit}"));
        let first = digest.iter().take(8).fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
        match first % 10 {
            0..8 => Split::Train,
            8 => Split::Validation,
            _ => Split::Test,
        }
    }
}

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
