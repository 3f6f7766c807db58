//! The splits of an evaluation set: training, validation and test.

use sha2::{Digest, Sha256};

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
