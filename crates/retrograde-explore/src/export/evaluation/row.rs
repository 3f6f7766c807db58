//! A position of an evaluation set, and the split that it belongs to.

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::export::evaluation::DrawRule;
use crate::{Count, Verdict};

/// A turn with its value for the player who makes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TurnRow {
    /// The turn, in the coordinates of the player who makes it.
    pub turn: String,
    /// The position it leads to, seen by the other player.
    pub position: String,
    /// Its value for the player who makes it; the turn itself is counted.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// A position with the values of all its turns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EvaluationRow {
    /// Its index.
    pub index: Count,
    /// Its text, seen by the side to move.
    pub position: String,
    /// The smallest text of its images under the symmetries of the game: no other row of the set has
    /// it.
    pub orbit: String,
    /// The rule that has drawn it.
    pub rule: DrawRule,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// All turns, best first, then by their texts.
    pub turns_available: Vec<TurnRow>,
}

/// A part of an evaluation set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Split {
    /// Eight tenths.
    Train,
    /// A tenth.
    Validation,
    /// A tenth.
    Test,
}

impl Split {
    /// All parts, as files stand in lists.
    pub const ALL: [Split; 3] = [Split::Train, Split::Validation, Split::Test];

    /// Its name, which its files have.
    pub fn word(self) -> &'static str {
        match self {
            Split::Train => "train",
            Split::Validation => "validation",
            Split::Test => "test",
        }
    }

    /// The part of a position, by the smallest of its images. Neither seed nor size of a set count, so
    /// no set of a game has a position for training that another has for the test.
    pub fn of(game: &str, orbit: &str) -> Split {
        let digest = Sha256::digest(format!("{game}\n{orbit}"));
        let first = digest.iter().take(8).fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
        match first % 10 {
            0..8 => Split::Train,
            8 => Split::Validation,
            _ => Split::Test,
        }
    }
}
