//! Steps between arrangements of several sets, each on the squares that the previous sets leave
//! free: the last set takes a step or, if it has no neighbour, the one before it does.

use crate::subsets;

/// The direction of a step.
pub(crate) trait Direction {
    /// The neighbour of a set, if there is one.
    fn step(set: u64, universe: u64) -> Option<u64>;
    /// The first set in this direction.
    fn begin(count: u32, universe: u64) -> u64;
    /// The neighbour of a number, which must exist.
    fn neighbour(number: usize) -> usize;
}

/// From a number to the next one.
pub(crate) struct Up;

impl Direction for Up {
    #[inline(always)]
    fn step(set: u64, universe: u64) -> Option<u64> {
        subsets::next(set, universe)
    }
    #[inline]
    fn begin(count: u32, universe: u64) -> u64 {
        subsets::first(count, universe)
    }
    #[inline]
    fn neighbour(number: usize) -> usize {
        number + 1
    }
}

/// From a number to the previous one.
pub(crate) struct Down;

impl Direction for Down {
    #[inline(always)]
    fn step(set: u64, universe: u64) -> Option<u64> {
        subsets::previous(set, universe)
    }
    #[inline]
    fn begin(count: u32, universe: u64) -> u64 {
        subsets::last(count, universe)
    }
    #[inline]
    fn neighbour(number: usize) -> usize {
        number - 1
    }
}

/// Sets `sets` to the first arrangement in a direction.
#[inline]
pub(crate) fn begin<D: Direction>(sets: &mut [u64], counts: &[u32], universe: u64) {
    let mut free = universe;
    for (set, &count) in sets.iter_mut().zip(counts) {
        *set = D::begin(count, free);
        free ^= *set;
    }
}

/// Moves to the neighbour of an arrangement whose last set has no neighbour. Returns `false` and
/// changes nothing if no set has one.
#[inline]
pub(crate) fn carry<D: Direction>(sets: &mut [u64], counts: &[u32], universe: u64) -> bool {
    let mut free = sets.iter().fold(universe, |free, set| free ^ set);
    for at in (0..sets.len()).rev() {
        free ^= sets[at];
        if at + 1 == sets.len() {
            continue;
        }
        if let Some(set) = D::step(sets[at], free) {
            sets[at] = set;
            begin::<D>(&mut sets[at + 1..], &counts[at + 1..], free ^ set);
            return true;
        }
    }
    false
}
