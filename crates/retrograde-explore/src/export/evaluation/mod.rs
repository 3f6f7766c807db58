//! Evaluation sets: some thousand positions of a game with the values of all their turns, for people
//! who measure how near a player or a network comes to perfection.
//!
//! Positions are drawn by stated rules ([`DrawRule`]) from a seed, at most one of those that are images
//! of each other under the game's symmetries, and split into training, validation and test by a hash of
//! that one ([`Split::of`]). The same game, options and seed give the same bytes on any machine. The
//! folder is made beside its place and renamed when all of it is written; `docs/data-sets.md` describes
//! the files.

mod card;
mod draw;
mod files;
mod json_lines;
#[cfg(feature = "parquet")]
mod parquet;
mod row;

pub use draw::DrawRule;
pub use files::{EvaluationFile, EvaluationSet, write};
pub use row::{EvaluationRow, Split, TurnRow};

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

#[cfg(test)]
mod tests;
