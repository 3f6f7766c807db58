//! Walks from an arrangement to its neighbour, skipping indices without an arrangement.

use std::iter::FusedIterator;
use std::ops::Range;

use super::{ReducedArrangements, lead_back};
use crate::tuples::{self, Direction, Down, Up};

/// An iterator over the arrangements of a range of indices with their indices, from either end
/// ([`ReducedArrangements::walk`]).
#[derive(Clone, Debug)]
pub struct ReducedWalk<'a, const K: usize> {
    numbering: &'a ReducedArrangements<K>,
    /// The remaining indices.
    indices: Range<u64>,
    /// The last sets from the front and from the back, if any.
    front: Option<Place<'a, K>>,
    back: Option<Place<'a, K>>,
}

/// The sets of the current index, leading set first.
#[derive(Clone, Copy, Debug)]
struct Place<'a, const K: usize> {
    sets: [u64; K],
    /// The squares that all sets except the last leave free.
    free: u64,
    block: usize,
    class: usize,
    /// The symmetries that fix the leading set.
    stabiliser: &'a [u16],
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

    /// Moves to the neighbour in a direction, which has the given index. The result may not be canonical.
    #[inline(always)]
    fn step<D: Direction>(&mut self, numbering: &'a ReducedArrangements<K>, index: u64) {
        match D::step(self.sets[K - 1], self.free) {
            // The leading set follows the order of classes, not of sets.
            Some(set) if K > 1 => self.sets[K - 1] = set,
            _ => self.carry::<D>(numbering, index),
        }
    }

    /// Does the same if the last set has no neighbour.
    #[inline(never)]
    fn carry<D: Direction>(&mut self, numbering: &'a ReducedArrangements<K>, index: u64) {
        let counts = &numbering.blocks[self.block].digits.counts;
        let universe = numbering.board ^ self.sets[0];
        if tuples::carry::<D>(&mut self.sets[1..], &counts[1..], universe) {
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

impl<'a, const K: usize> ReducedWalk<'a, K> {
    pub(super) fn new(numbering: &'a ReducedArrangements<K>, indices: Range<u64>) -> ReducedWalk<'a, K> {
        let end = indices.end.min(numbering.count());
        ReducedWalk { numbering, indices: indices.start.min(end)..end, front: None, back: None }
    }
}

impl<const K: usize> Iterator for ReducedWalk<'_, K> {
    type Item = (u64, [u64; K]);

    #[inline]
    fn next(&mut self) -> Option<(u64, [u64; K])> {
        loop {
            let index = self.indices.next()?;
            match &mut self.front {
                Some(place) => place.step::<Up>(self.numbering, index),
                None => self.front = Place::at(self.numbering, index),
            }
            if let Some(sets) = self.front.as_ref()?.canonical(self.numbering) {
                return Some((index, sets));
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.indices.size_hint().1)
    }
}

impl<const K: usize> DoubleEndedIterator for ReducedWalk<'_, K> {
    #[inline]
    fn next_back(&mut self) -> Option<(u64, [u64; K])> {
        loop {
            let index = self.indices.next_back()?;
            match &mut self.back {
                Some(place) => place.step::<Down>(self.numbering, index),
                None => self.back = Place::at(self.numbering, index),
            }
            if let Some(sets) = self.back.as_ref()?.canonical(self.numbering) {
                return Some((index, sets));
            }
        }
    }
}

impl<const K: usize> FusedIterator for ReducedWalk<'_, K> {}
