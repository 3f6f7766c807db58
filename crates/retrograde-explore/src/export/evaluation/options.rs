//! The options of an evaluation set.

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
