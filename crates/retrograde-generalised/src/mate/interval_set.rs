//! Sets of small numbers as sorted intervals: the possible counts of pawns in a part of the space.

/// The numbers from the first to the last, inclusive.
pub(crate) type Interval = (u32, u32);

/// A set of numbers, as sorted intervals that neither overlap nor touch.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct IntervalSet(Vec<Interval>);

impl IntervalSet {
    /// Adds an interval. Returns its numbers that were not in the set, as intervals.
    pub fn add(&mut self, (first, last): Interval) -> Vec<Interval> {
        debug_assert!(first <= last);
        // The intervals that overlap or touch the new one.
        let from = self.0.partition_point(|&(_, end)| end.saturating_add(1) < first);
        let to = self.0.partition_point(|&(start, _)| start <= last.saturating_add(1));
        let mut new = Vec::new();
        let mut free = first;
        for &(start, end) in &self.0[from..to] {
            if free < start {
                new.push((free, last.min(start - 1)));
            }
            free = free.max(end.saturating_add(1));
        }
        if free <= last {
            new.push((free, last));
        }
        let met = &self.0[from..to];
        let start = met.first().map_or(first, |span| span.0.min(first));
        let end = met.last().map_or(last, |span| span.1.max(last));
        self.0.splice(from..to, [(start, end)]);
        new
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    proptest::proptest! {
        #[test]
        fn intervals_are_a_set(added in proptest::collection::vec((0..60_u32, 0..20_u32), 0..20)) {
            let mut spans = IntervalSet::default();
            let mut set = BTreeSet::new();
            for (first, length) in added {
                let all: Vec<u32> = (first..=first + length).collect();
                let fresh: Vec<u32> = all.iter().copied().filter(|&number| set.insert(number)).collect();
                let returned: Vec<u32> =
                    spans.add((first, first + length)).into_iter().flat_map(|(a, b)| a..=b).collect();
                proptest::prop_assert_eq!(returned, fresh);
                let apart = spans.0.windows(2).all(|pair| pair[0].1 + 1 < pair[1].0);
                proptest::prop_assert!(apart, "{:?}", spans);
                let held: Vec<u32> = spans.0.iter().flat_map(|&(a, b)| a..=b).collect();
                proptest::prop_assert_eq!(held, set.iter().copied().collect::<Vec<_>>());
            }
        }
    }
}
