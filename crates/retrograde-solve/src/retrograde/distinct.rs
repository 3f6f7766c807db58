//! A short list of distinct indices.

/// Distinct indices. Most lists have about ten, so a filter of 256 bits shows for nearly all of them at once
/// that they are new.
#[derive(Default)]
pub(crate) struct Distinct {
    indices: Vec<u64>,
    filter: [u64; 4],
}

impl Distinct {
    /// Removes all indices.
    pub(crate) fn clear(&mut self) {
        self.indices.clear();
        self.filter = [0; 4];
    }

    /// Adds an index, if it is new.
    #[inline]
    pub(crate) fn insert(&mut self, index: u64) {
        let hash = index.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56;
        let (word, bit) = ((hash / 64) as usize, 1 << (hash % 64));
        if self.filter[word] & bit != 0 && self.indices.contains(&index) {
            return;
        }
        self.filter[word] |= bit;
        self.indices.push(index);
    }

    /// The number of indices.
    pub(crate) fn len(&self) -> usize {
        self.indices.len()
    }

    /// The indices, in the order in which they were added.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &u64> {
        self.indices.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_are_dropped() {
        let mut distinct = Distinct::default();
        for round in 0..3_u64 {
            let indices = || (0..700).map(|at| (at * at + round) % 311);
            distinct.clear();
            indices().for_each(|index| distinct.insert(index));
            let mut expected: Vec<u64> = indices().collect();
            expected.sort_unstable();
            expected.dedup();
            let mut found: Vec<u64> = distinct.iter().copied().collect();
            found.sort_unstable();
            assert_eq!((&found, distinct.len()), (&expected, expected.len()));
        }
    }
}
