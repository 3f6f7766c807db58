//! The set that somebody wants.

use super::rule::DrawRule;

/// The form of the files of an evaluation set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowsFormat {
    /// A JSON object a line.
    JsonLines,
    /// Apache Parquet, with the turns as a list.
    Parquet,
}

impl RowsFormat {
    /// The ending of files, which is its name too: `jsonl` or `parquet`.
    pub fn word(self) -> &'static str {
        match self {
            RowsFormat::JsonLines => "jsonl",
            RowsFormat::Parquet => "parquet",
        }
    }
}

/// The set that is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvaluationOptions {
    /// Positions in all splits together; there are fewer if the game has no more.
    pub positions: u64,
    /// The seed of all choices.
    pub seed: u64,
    /// The rules by which they are drawn, each for the same share; one of each at most.
    pub rules: Vec<DrawRule>,
    /// The forms in which they are written.
    pub formats: Vec<RowsFormat>,
}

impl EvaluationOptions {
    /// The rules that were asked for, each once, in the order in which they draw.
    pub(super) fn rules_in_order(&self) -> impl Iterator<Item = DrawRule> {
        DrawRule::ALL.into_iter().filter(|rule| self.rules.contains(rule))
    }
}
