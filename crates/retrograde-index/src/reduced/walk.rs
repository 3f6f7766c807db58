//! Walks down from an arrangement to its neighbour, skipping indices without an arrangement.

use std::ops::{ControlFlow, Range};

use super::{ReducedArrangements, lead_back};
use crate::sets::subsets;
use crate::sets::tuples;

/// The sets of the current index, leading set first.
struct Place<'a, const K: usize> {
    sets: [u64; K],
    /// The squares that all sets except the last leave free.
    free: u64,
    block: usize,
    class: usize,
    /// The symmetries that fix the leading set.
    stabiliser: &'a [u16],
}

impl<const K: usize> ReducedArrangements<K> {
    /// Visits the arrangements of a range of indices with their indices, greatest index first, until the
    /// visitor stops. Skips indices without an arrangement.
    #[inline]
    pub fn walk_down<F>(&self, indices: Range<u64>, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(u64, [u64; K]) -> ControlFlow<()>,
    {
        let mut place: Option<Place<'_, K>> = None;
        for index in (indices.start..indices.end.min(self.count())).rev() {
            match &mut place {
                Some(place) => place.step(self, index),
                None => place = Place::at(self, index),
            }
            if let Some(sets) = place.as_ref().and_then(|place| place.canonical(self)) {
                visit(index, sets)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl<'a, const K: usize> Place<'a, K> {
    fn at(numbering: &'a ReducedArrangements<K>, index: u64) -> Option<Place<'a, K>> {
        let number = numbering.ranges.block_at(index)?;
        let block = &numbering.blocks[number];
        let (class, sets) = numbering.unranked(block, index - block.start);
        let mut place = Place { sets, free: 0, block: number, class, stabiliser: &[] };
        place.settle(numbering);
        Some(place)
    }

    /// Updates what depends on the class and the sets.
    fn settle(&mut self, numbering: &'a ReducedArrangements<K>) {
        self.stabiliser = numbering.classes(&numbering.blocks[self.block]).stabiliser(self.class);
        self.free = self.sets[..K - 1].iter().fold(numbering.board, |free, set| free ^ set);
    }

    /// Moves to the previous sets, which have the given index. The result may not be canonical.
    #[inline(always)]
    fn step(&mut self, numbering: &'a ReducedArrangements<K>, index: u64) {
        match subsets::previous(self.sets[K - 1], self.free) {
            // The leading set follows the order of classes, not of sets.
            Some(set) if K > 1 => self.sets[K - 1] = set,
            _ => self.carry(numbering, index),
        }
    }

    /// Does the same if the last set has no neighbour.
    #[inline(never)]
    fn carry(&mut self, numbering: &'a ReducedArrangements<K>, index: u64) {
        let counts = &numbering.blocks[self.block].digits.counts;
        let universe = numbering.board ^ self.sets[0];
        if tuples::carry(&mut self.sets[1..], &counts[1..], universe) {
            self.settle(numbering);
        } else if let Some(place) = Place::at(numbering, index) {
            *self = place;
        }
    }

    /// The arrangement, if it is canonical.
    #[inline(always)]
    fn canonical(&self, numbering: &ReducedArrangements<K>) -> Option<[u64; K]> {
        let canonical = self.stabiliser.is_empty() || numbering.is_least(self.stabiliser, &self.sets);
        canonical.then(|| {
            let mut sets = self.sets;
            lead_back(&mut sets, numbering.blocks[self.block].lead);
            sets
        })
    }
}
