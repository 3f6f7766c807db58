//! Steps down between arrangements of several sets, each on the squares that the previous sets leave free: the
//! last set takes a step or, if it has no neighbour, the one before it does.

use crate::sets::subsets;

/// Sets `sets` to the last arrangement.
#[inline]
pub(crate) fn last(sets: &mut [u64], counts: &[u32], universe: u64) {
    let mut free = universe;
    for (set, &count) in sets.iter_mut().zip(counts) {
        *set = subsets::last(count, free);
        free ^= *set;
    }
}

/// Moves to the previous arrangement of one whose last set has no previous one. Returns `false` and changes
/// nothing if no set has one.
#[inline]
pub(crate) fn carry(sets: &mut [u64], counts: &[u32], universe: u64) -> bool {
    let mut free = sets.iter().fold(universe, |free, set| free ^ set);
    for at in (0..sets.len()).rev() {
        free ^= sets[at];
        if at + 1 == sets.len() {
            continue;
        }
        if let Some(set) = subsets::previous(sets[at], free) {
            sets[at] = set;
            last(&mut sets[at + 1..], &counts[at + 1..], free ^ set);
            return true;
        }
    }
    false
}
