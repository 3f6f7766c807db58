//! The transposition table of the proof search. Its size is bounded, and entries contain whole positions, so
//! an entry never applies to another position with the same hash.
//!
//! Only what holds on every path is stored as an answer. The estimated effort of an undecided question is
//! stored too. A wrong estimate costs time but does not affect results.

use std::hash::{BuildHasher, Hash};

use crate::hash::FoldHasher;

/// A question about a position, for its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Goal {
    /// Does the side to move win?
    Win,
    /// Does it lose?
    Loss,
}

impl Goal {
    /// The same question after a turn, for the other player.
    pub(crate) fn after(self) -> Goal {
        match self {
            Goal::Win => Goal::Loss,
            Goal::Loss => Goal::Win,
        }
    }
}

/// No bound on the number of turns.
pub(crate) const UNBOUNDED: u16 = u16::MAX;

/// The knowledge about a question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// Yes, within this number of turns; [`UNBOUNDED`]: unknown.
    pub yes: u16,
    /// Not within fewer turns than this; 0: unknown, [`UNBOUNDED`]: never.
    pub not_below: u16,
    /// The estimated effort of a proof if `within` turns are allowed.
    pub proof: u32,
    /// The estimated effort of a disproof.
    pub disproof: u32,
    /// The bound of the estimates.
    pub within: u16,
}

impl Known {
    /// Nothing is known.
    pub(crate) const NOTHING: Known =
        Known { yes: UNBOUNDED, not_below: 0, proof: 1, disproof: 1, within: 0 };

    /// Whether the answer is yes within this number of turns, if that is known.
    pub(crate) fn answer(&self, within: u16) -> Option<bool> {
        if self.yes != UNBOUNDED && self.yes <= within {
            Some(true)
        } else if self.not_below == UNBOUNDED || self.not_below > within {
            Some(false)
        } else {
            None
        }
    }
}

struct Entry<P> {
    position: P,
    goal: Goal,
    known: Known,
    /// The number of positions visited for it, at most `u32::MAX`. Entries with the least work are replaced
    /// first.
    work: u32,
}

/// The number of entries per bucket.
const BUCKET: usize = 4;

type Bucket<P> = [Option<Entry<P>>; BUCKET];

/// The table.
pub(crate) struct Table<P> {
    buckets: Vec<Bucket<P>>,
    /// The maximum number of buckets.
    most: usize,
}

/// The minimum number of buckets.
const MIN_BUCKETS: usize = 16;

impl<P: Clone + Eq + Hash> Table<P> {
    /// Creates a small table, which may grow to about `bytes` bytes, without the heap memory of positions.
    pub(crate) fn new(bytes: u64) -> Table<P> {
        let most = usize::try_from(bytes / size_of::<Bucket<P>>() as u64).unwrap_or(usize::MAX);
        Table { buckets: Self::empty(MIN_BUCKETS), most: most.max(MIN_BUCKETS) }
    }

    fn empty(buckets: usize) -> Vec<Bucket<P>> {
        (0..buckets).map(|_| [const { None }; BUCKET]).collect()
    }

    /// Grows to about `entries` entries, within the memory limit. A short search then does not clear the
    /// memory that only a long one fills.
    pub(crate) fn grow(&mut self, entries: u64) {
        let wanted = usize::try_from(entries / BUCKET as u64).unwrap_or(usize::MAX).min(self.most);
        // The old and the new table exist at the same time.
        if wanted >= 2 * self.buckets.len() {
            let old = std::mem::replace(&mut self.buckets, Self::empty(wanted));
            for Entry { position, goal, known, work } in old.into_iter().flatten().flatten() {
                self.update(&position, goal, work.into(), |new| *new = known);
            }
        }
    }

    fn bucket(&self, position: &P, goal: Goal) -> usize {
        let hash = FoldHasher::default().hash_one((position, goal));
        ((u128::from(hash) * self.buckets.len() as u128) >> 64) as usize
    }

    pub(crate) fn get(&self, position: &P, goal: Goal) -> Known {
        let bucket = &self.buckets[self.bucket(position, goal)];
        let mut found = bucket.iter().flatten();
        let found = found.find(|entry| entry.goal == goal && entry.position == *position);
        found.map_or(Known::NOTHING, |entry| entry.known)
    }

    /// Changes an entry. Replaces the one with the least work if there is no room.
    pub(crate) fn update(&mut self, position: &P, goal: Goal, work: u64, change: impl FnOnce(&mut Known)) {
        let at = self.bucket(position, goal);
        let bucket = &mut self.buckets[at];
        let work = u32::try_from(work).unwrap_or(u32::MAX);
        let same = bucket
            .iter()
            .position(|entry| entry.as_ref().is_some_and(|e| e.goal == goal && e.position == *position));
        let place = match same {
            Some(place) => place,
            None => {
                let cost =
                    |entry: &Option<Entry<P>>| entry.as_ref().map_or(0, |entry| 1 + u64::from(entry.work));
                let cheapest = (0..BUCKET).min_by_key(|&place| cost(&bucket[place])).unwrap_or(0);
                // The work of older entries decays, so that none stays for ever.
                for entry in bucket.iter_mut().flatten() {
                    entry.work -= entry.work / 64;
                }
                bucket[cheapest] =
                    Some(Entry { position: position.clone(), goal, known: Known::NOTHING, work: 0 });
                cheapest
            }
        };
        if let Some(entry) = &mut bucket[place] {
            entry.work = entry.work.saturating_add(work);
            change(&mut entry.known);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_table_forgets_but_never_mistakes() {
        let mut table = Table::<u64>::new(0);
        for position in 0..10_000_u64 {
            table.update(&position, Goal::Win, position % 7, |known| known.yes = (position % 100) as u16);
        }
        let known: Vec<u64> =
            (0..10_000).filter(|position| table.get(position, Goal::Win).yes != UNBOUNDED).collect();
        assert!(!known.is_empty() && known.len() <= 16 * BUCKET);
        for position in known {
            assert_eq!(table.get(&position, Goal::Win).yes, (position % 100) as u16);
            assert_eq!(table.get(&position, Goal::Loss).yes, UNBOUNDED);
        }
    }

    #[test]
    fn a_growing_table_keeps_what_it_knows() {
        let mut table = Table::<u64>::new(1 << 20);
        table.grow(4000);
        for position in 0..500_u64 {
            table.update(&position, Goal::Loss, 1, |known| known.not_below = position as u16);
        }
        let kept = |table: &Table<u64>| {
            (1..500).filter(|at| table.get(at, Goal::Loss).not_below == *at as u16).count()
        };
        let before = kept(&table);
        let buckets = table.buckets.len();
        table.grow(1 << 30);
        assert!(table.buckets.len() > buckets && table.buckets.len() * size_of::<Bucket<u64>>() <= 1 << 20);
        assert_eq!(kept(&table), before);
        assert!(before > 400);
    }

    #[test]
    fn answers_hold_for_all_larger_or_smaller_bounds() {
        let known = Known { yes: 7, not_below: 5, ..Known::NOTHING };
        let answers: Vec<_> = (3..9).map(|within| known.answer(within)).collect();
        assert_eq!(answers, [Some(false), Some(false), None, None, Some(true), Some(true)]);
        assert_eq!(known.answer(UNBOUNDED), Some(true));
        let never = Known { not_below: UNBOUNDED, ..Known::NOTHING };
        assert_eq!((never.answer(3), never.answer(UNBOUNDED)), (Some(false), Some(false)));
        assert_eq!(Known::NOTHING.answer(UNBOUNDED), None);
        assert_eq!(Known { not_below: 9, ..Known::NOTHING }.answer(UNBOUNDED), None);
    }
}
