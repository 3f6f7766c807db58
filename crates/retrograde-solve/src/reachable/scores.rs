//! The values of the unfinished reachable positions, by index, in the form that a solver produces.

use std::collections::BTreeMap;
use std::io;

use super::marked::MarkedScores;
use super::spilled_scores::SpilledScores;
use super::values::{NumberedScores, count_scores};

/// Reachable positions by index, with their two-byte scores.
pub enum ReachableScores {
    /// In a sorted list.
    Listed(NumberedScores),
    /// Among the scores of all indices.
    Marked(MarkedScores),
    /// In files.
    InFiles(SpilledScores),
}

/// Indices and scores, in the order of the indices.
pub type ScoresByIndex<'a> = Box<dyn Iterator<Item = io::Result<(u64, u16)>> + 'a>;

impl ReachableScores {
    /// The number of positions by score.
    pub fn counts(&self) -> BTreeMap<u16, u64> {
        match self {
            ReachableScores::Listed(scores) => scores.counts(),
            ReachableScores::Marked(scores) => count_scores(scores.iter().map(|(_, score)| score)),
            ReachableScores::InFiles(scores) => scores.counts().clone(),
        }
    }

    /// The score of an index, if its position is reachable. In files, it reads all lower indices.
    ///
    /// # Errors
    /// The errors of the files.
    pub fn score(&self, index: u64) -> io::Result<Option<u16>> {
        match self {
            ReachableScores::Listed(scores) => Ok(scores.score(index)),
            ReachableScores::Marked(scores) => Ok(scores.score(index)),
            ReachableScores::InFiles(scores) => scores.score(index),
        }
    }

    /// Indices and scores, in the order of the indices.
    ///
    /// # Errors
    /// The errors of the files.
    pub fn iter(&self) -> io::Result<ScoresByIndex<'_>> {
        Ok(match self {
            ReachableScores::Listed(scores) => Box::new(scores.iter().map(Ok)),
            ReachableScores::Marked(scores) => Box::new(scores.iter().map(Ok)),
            ReachableScores::InFiles(scores) => Box::new(scores.iter()?),
        })
    }
}
