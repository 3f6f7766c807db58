//! Bit sets of places that threads share.

use std::iter;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::job::SolveError;
use crate::memory;

/// A set of places of a stage.
#[derive(Default)]
pub(crate) struct PlaceSet(Vec<AtomicU64>);

impl PlaceSet {
    /// Creates an empty set of `places` places.
    pub(crate) fn new(places: usize) -> Result<PlaceSet, SolveError> {
        let mut set = PlaceSet::default();
        set.clear_or_make(places)?;
        Ok(set)
    }

    /// Clears the set, or allocates it if it is empty.
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

    /// Whether the set contains a place.
    #[inline]
    pub(crate) fn contains(&self, place: u64) -> bool {
        self.0[(place / 64) as usize].load(Ordering::Relaxed) >> (place % 64) & 1 == 1
    }

    /// Adds a place. Returns whether it is new.
    #[inline]
    pub(crate) fn insert(&self, place: u64) -> bool {
        let bit = 1 << (place % 64);
        self.0[(place / 64) as usize].fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    /// The number of places in the set.
    pub(crate) fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum()
    }

    /// Iterates over the places of a range in order.
    pub(crate) fn places(&self, range: Range<u64>) -> impl Iterator<Item = u64> + '_ {
        let words = range.start / 64..range.end.div_ceil(64);
        words.flat_map(move |word| {
            let mut bits = self.0[word as usize].load(Ordering::Relaxed) & within(word, &range);
            iter::from_fn(move || {
                let bit = bits.trailing_zeros();
                (bit < 64).then(|| {
                    bits &= bits - 1;
                    word * 64 + u64::from(bit)
                })
            })
        })
    }

    /// Removes the places of a range from the end, 64 at a time, and visits them. Places that are added
    /// meanwhile at or before the current ones are visited too.
    pub(crate) fn drain_downward(&self, range: Range<u64>, mut visit: impl FnMut(u64)) {
        for word in (range.start / 64..range.end.div_ceil(64)).rev() {
            let here = within(word, &range);
            loop {
                let mut bits = self.0[word as usize].fetch_and(!here, Ordering::Relaxed) & here;
                if bits == 0 {
                    break;
                }
                while bits != 0 {
                    visit(word * 64 + u64::from(bits.trailing_zeros()));
                    bits &= bits - 1;
                }
            }
        }
    }

    /// Visits the places of `first .. first + count` in order.
    pub(crate) fn each(&self, first: u64, count: u64, mut visit: impl FnMut(u64)) {
        let range = first..first + count;
        for word in range.start / 64..range.end.div_ceil(64) {
            let mut bits = self.0[word as usize].load(Ordering::Relaxed) & within(word, &range);
            while bits != 0 {
                visit(word * 64 + u64::from(bits.trailing_zeros()));
                bits &= bits - 1;
            }
        }
    }
}

/// The mask of the places of a range in a word.
#[inline]
fn within(word: u64, range: &Range<u64>) -> u64 {
    let (first, end) = (word * 64, word * 64 + 64);
    let from = if first < range.start { u64::MAX << (range.start - first) } else { u64::MAX };
    if range.end < end { from & !(u64::MAX << (range.end - first)) } else { from }
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
            assert!(set.places(first..first + count).eq(expected));
            assert!(visited.iter().all(|&place| set.contains(place)));
        }
        assert!(!set.contains(65));
        assert_eq!(set.count(), 8);
        let mut taken = Vec::new();
        set.drain_downward(1..192, |place| {
            taken.push(place);
            // A place added after the current ones is visited in another call, others in this one.
            if place == 130 {
                [5, 129, 131, 193].iter().for_each(|&place| _ = set.insert(place));
            }
        });
        taken.sort_unstable();
        assert_eq!(taken, [1, 5, 63, 64, 129, 130, 131, 191]);
        assert!(set.places(0..300).eq([0, 192, 193, 299]));
    }
}
