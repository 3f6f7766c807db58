//! The keys of a game that can repeat while they are gathered.

use std::io;

use super::share::{GradeState, VisitKeys};
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

    /// Visits all keys. The keys in `left` have not been expanded yet either.
    ///
    /// # Errors
    /// The first error of `visit`.
    pub fn each(&self, left: &[u64], visit: &mut VisitKeys<'_>) -> io::Result<()> {
        let mut waiting = [left, &self.new].concat();
        waiting.sort_unstable();
        let known = self.all.keys().filter(|key| waiting.binary_search(key).is_err());
        visit(GradeState::Waiting, 0, &mut waiting.iter().map(|&key| (key, 0)))?;
        visit(GradeState::Gathered, 0, &mut known.map(|key| (key, 0)))
    }
}
