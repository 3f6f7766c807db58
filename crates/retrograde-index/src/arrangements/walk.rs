//! Walks down from an arrangement to its neighbours, which mostly differ in one piece of the last set.

use std::ops::{ControlFlow, Range};

use super::Arrangements;
use crate::sets::subsets;
use crate::sets::tuples;

/// A current arrangement.
struct Place<const K: usize> {
    sets: [u64; K],
    /// The squares that all sets except the last leave free.
    free: u64,
    block: usize,
}

impl<const K: usize> Arrangements<K> {
    /// Visits the arrangements of a range of indices with their indices, greatest index first, until the
    /// visitor stops. Skips indices past the end.
    #[inline]
    pub fn walk_down<F>(&self, indices: Range<u64>, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(u64, [u64; K]) -> ControlFlow<()>,
    {
        let mut place: Option<Place<K>> = None;
        for index in (indices.start..indices.end.min(self.count())).rev() {
            match &mut place {
                Some(place) => place.step(self),
                None => place = self.place(index),
            }
            if let Some(place) = &place {
                visit(index, place.sets)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn place(&self, index: u64) -> Option<Place<K>> {
        let (sets, block) = (self.unrank(index)?, self.ranges.block_at(index)?);
        Some(Place { sets, free: self.free(&sets), block })
    }

    /// The squares that all sets except the last leave free.
    fn free(&self, sets: &[u64; K]) -> u64 {
        let others = sets.split_last().map_or(&[][..], |(_, others)| others);
        others.iter().fold(self.board, |free, set| free ^ set)
    }
}

impl<const K: usize> Place<K> {
    /// Moves to the previous arrangement, which must exist.
    #[inline(always)]
    fn step(&mut self, numbering: &Arrangements<K>) {
        if let Some(last) = self.sets.last_mut()
            && let Some(set) = subsets::previous(*last, self.free)
        {
            *last = set;
        } else {
            self.carry(numbering);
        }
    }

    /// Does the same if the last set has no neighbour: another set takes a step, and the sets after
    /// it start over.
    #[inline(never)]
    fn carry(&mut self, numbering: &Arrangements<K>) {
        let counts = &numbering.blocks[self.block].digits.counts;
        if !tuples::carry(&mut self.sets, counts, numbering.board) {
            self.block -= 1;
            let counts = &numbering.blocks[self.block].digits.counts;
            tuples::last(&mut self.sets, counts, numbering.board);
        }
        self.free = numbering.free(&self.sets);
    }
}
