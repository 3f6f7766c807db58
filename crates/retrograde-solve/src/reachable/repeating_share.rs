//! The keys of a game that can repeat while they are gathered.

use std::io;

use super::share::{GradeState, SavedPiece};
use super::waiting::{DividedKeys, Waiting};

/// The known keys.
pub struct GatheredShare {
    pub all: Waiting,
    /// The known keys whose successors have not been found yet.
    pub new: Vec<u64>,
}

impl Default for GatheredShare {
    fn default() -> GatheredShare {
        GatheredShare { all: Waiting::new(), new: Vec::new() }
    }
}

impl GatheredShare {
    /// Adds keys. Unknown ones are new.
    pub fn add(&mut self, pool: &crate::Pool, found: &[DividedKeys]) {
        self.new.extend(self.all.add_new(pool, found).into_iter().flatten());
    }

    /// Adds keys whose successors are known.
    pub fn add_known(&mut self, pool: &crate::Pool, keys: &[u64]) {
        self.all.add(pool, &[DividedKeys::new(keys)]);
    }

    /// Takes the keys whose successors have not been found yet.
    pub fn take_new(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.new)
    }

    /// The number of keys.
    pub fn len(&self) -> u64 {
        self.all.len() as u64
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> u64 {
        self.all.bytes() + self.new.len() as u64 * 8
    }

    /// Visits all keys in pieces of at most `most`. The keys in `left` have not been expanded yet either.
    ///
    /// # Errors
    /// The first error of `visit`.
    pub fn each_piece(
        &self,
        left: &[u64],
        most: usize,
        visit: &mut dyn FnMut(SavedPiece) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut waiting = [left, &self.new].concat();
        waiting.sort_unstable();
        let known: Vec<u64> = self.all.keys().filter(|key| waiting.binary_search(key).is_err()).collect();
        for (state, keys) in [(GradeState::Waiting, waiting), (GradeState::Gathered, known)] {
            for keys in keys.chunks(most) {
                visit(SavedPiece { state, grade: 0, keys: keys.to_vec(), scores: Vec::new() })?;
            }
        }
        Ok(())
    }
}
