//! Evaluation sets: some thousand positions of a game with the values of all their turns, for people
//! who measure how near a player or a network comes to perfection.
//!
//! Positions are drawn by stated rules ([`DrawRule`]) from a seed, at most one of those that are images
//! of each other under the game's symmetries, and split into training, validation and test by a hash of
//! that one ([`Split::of`]). The same kind of table, options and seed give the same bytes on any
//! machine. The folder has another name until all of it is written;
//! `docs/data-sets.md` describes the files.

mod card;
mod draw;
mod files;
mod json_lines;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod row;
mod rule;
mod set;
mod split;

pub use files::write;
pub use options::{EvaluationOptions, RowsFormat};
pub use rule::DrawRule;
pub use set::{EvaluationFile, EvaluationSet};
pub use split::Split;

#[cfg(test)]
mod tests;
