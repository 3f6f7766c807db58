//! Sets of places, a bit each, that threads share.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::job::SolveError;
use crate::memory;

/// A set of places of a stage.
#[derive(Default)]
pub(crate) struct PlaceSet(Vec<AtomicU64>);

impl PlaceSet {
    /// The empty set of so many places.
    pub(crate) fn new(places: usize) -> Result<PlaceSet, SolveError> {
        let mut set = PlaceSet::default();
        set.clear_or_make(places)?;
        Ok(set)
    }

    /// Makes it empty, and makes it at all if it is not there yet.
    pub(crate) fn clear_or_make(&mut self, places: usize) -> Result<(), SolveError> {
        let words = places.div_ceil(64);
        if self.0.len() == words {
            self.0.iter_mut().for_each(|word| *word.get_mut() = 0);
        } else {
            memory::reserve(&mut self.0, words)?;
            self.0.extend((0..words).map(|_| AtomicU64::new(0)));
        }
        Ok(())
    }

    /// Whether a place is in it.
    #[inline]
    pub(crate) fn contains(&self, place: u64) -> bool {
        self.0[(place / 64) as usize].load(Ordering::Relaxed) >> (place % 64) & 1 == 1
    }

    /// Puts a place into it; whether it is new.
    #[inline]
    pub(crate) fn insert(&self, place: u64) -> bool {
        let bit = 1 << (place % 64);
        self.0[(place / 64) as usize].fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    /// Visits the places `first .. first + count` that are in it, in order.
    pub(crate) fn each(&self, first: u64, count: u64, mut visit: impl FnMut(u64)) {
        let end = first + count;
        for word in first / 64..end.div_ceil(64) {
            let mut bits = self.0[word as usize].load(Ordering::Relaxed);
            if word * 64 < first {
                bits &= u64::MAX << (first % 64);
            }
            if end < word * 64 + 64 {
                bits &= (1 << (end % 64)) - 1;
            }
            while bits != 0 {
                visit(word * 64 + u64::from(bits.trailing_zeros()));
                bits &= bits - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_set_are_visited() {
        let set = PlaceSet::new(300).unwrap();
        let members = [0, 1, 63, 64, 130, 191, 192, 299];
        assert!(members.iter().all(|&place| set.insert(place)) && !set.insert(64));
        for (first, count) in [(0, 300), (1, 63), (64, 1), (65, 65), (65, 66), (191, 2), (190, 0), (10, 20)] {
            let mut visited = Vec::new();
            set.each(first, count, |place| visited.push(place));
            let expected: Vec<u64> =
                members.iter().copied().filter(|&m| m >= first && m < first + count).collect();
            assert_eq!(visited, expected, "{first}, {count}");
            assert!(visited.iter().all(|&place| set.contains(place)));
        }
        assert!(!set.contains(65));
    }
}
