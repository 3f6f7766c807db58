//! The parts of an evaluation set: training, validation and test.

use sha2::{Digest, Sha256};

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
