//! The types of evaluation sets: options, rules for drawing positions, rows, splits and files.

use retrograde_game::Outcome;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Count;

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

/// A rule for drawing positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawRule {
    /// The same number of positions for each outcome and number of turns to the end.
    Depth,
    /// Exactly one of several turns wins; or exactly one keeps a draw or delays a loss longest.
    OnlyMove,
    /// The same number of wins, draws and losses; each position of an outcome is equally likely.
    Balanced,
}

impl DrawRule {
    /// All rules, in the order in which they draw.
    pub const ALL: [DrawRule; 3] = [DrawRule::Depth, DrawRule::OnlyMove, DrawRule::Balanced];

    /// Its name: `depth`, `only-move` or `balanced`.
    pub fn word(self) -> &'static str {
        match self {
            DrawRule::Depth => "depth",
            DrawRule::OnlyMove => "only-move",
            DrawRule::Balanced => "balanced",
        }
    }

    /// The description of the rule.
    pub(crate) fn sentence(self) -> &'static str {
        match self {
            DrawRule::Depth => {
                "wins and losses by turns to the end, and draws: the same number of each kind, as far as the \
                 table has them"
            }
            DrawRule::OnlyMove => {
                "positions in which exactly one of several turns wins, and positions in which exactly one keeps a draw \
                 or delays a loss longest: the same number of each kind, as far as the table has them"
            }
            DrawRule::Balanced => {
                "the same number of wins, draws and losses, as far as the table has them; each position of an \
                 outcome is equally likely"
            }
        }
    }
}

/// A turn with its value for the player who makes it. No field has the name of one of [`EvaluationRow`], so that
/// turns can become rows of a table that also has the fields of their position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TurnRow {
    /// The turn, in the coordinates of the player who makes it.
    pub turn: String,
    /// The position it leads to, as the other player sees it.
    pub turn_position: String,
    /// Its outcome for the player who makes it.
    #[serde(with = "word")]
    pub turn_outcome: Outcome,
    /// The turns to the end, including this one, if they are known.
    pub turn_turns: Option<u16>,
}

/// A position with the values of all its turns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EvaluationRow {
    /// Its index.
    pub index: Count,
    /// Its text, as the side to move sees it.
    pub position: String,
    /// The smallest text of its images under the symmetries of the game. It is different in each row of a
    /// set.
    pub orbit: String,
    /// The rule that drew it.
    pub rule: DrawRule,
    /// Its outcome for the side to move.
    #[serde(with = "word")]
    pub outcome: Outcome,
    /// The turns to the end, if they are known.
    pub turns: Option<u16>,
    /// Its planes, each a list of rows, from the top; empty if the game describes none, and in a row that was
    /// read from a file.
    #[serde(skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    pub planes: Vec<Vec<Vec<u8>>>,
    /// All turns, at least one, best first; of equally good ones, those of fewer steps first, then by text.
    pub turns_available: Vec<TurnRow>,
}

/// An outcome as a word.
mod word {
    use retrograde_game::Outcome;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(outcome.word())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
        let word = String::deserialize(deserializer)?;
        Outcome::from_word(&word).ok_or_else(|| D::Error::custom(format!("“{word}” is not an outcome")))
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
