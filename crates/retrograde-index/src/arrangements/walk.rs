//! Walks from an arrangement to its neighbours, which mostly differ in one piece of the last set.

use std::iter::FusedIterator;
use std::ops::Range;

use super::Arrangements;
use crate::tuples::{self, Direction, Down, Up};

/// An iterator over the arrangements of a range of indices, from either end ([`Arrangements::walk`]).
#[derive(Clone, Debug)]
pub struct Walk<'a, const K: usize> {
    numbering: &'a Arrangements<K>,
    /// The remaining indices.
    indices: Range<u64>,
    /// The last arrangement returned from the front and from the back, if any.
    front: Option<Place<K>>,
    back: Option<Place<K>>,
}

/// A current arrangement.
#[derive(Clone, Copy, Debug)]
struct Place<const K: usize> {
    sets: [u64; K],
    /// The squares that all sets except the last leave free.
    free: u64,
    block: usize,
}

impl<'a, const K: usize> Walk<'a, K> {
    pub(super) fn new(numbering: &'a Arrangements<K>, indices: Range<u64>) -> Walk<'a, K> {
        let end = indices.end.min(numbering.count());
        Walk { numbering, indices: indices.start.min(end)..end, front: None, back: None }
    }

    fn place(&self, index: u64) -> Option<Place<K>> {
        let (sets, block) = (self.numbering.unrank(index)?, self.numbering.ranges.block_at(index)?);
        Some(Place { sets, free: self.numbering.free(&sets), block })
    }
}

impl<const K: usize> Arrangements<K> {
    /// The squares that all sets except the last leave free.
    fn free(&self, sets: &[u64; K]) -> u64 {
        let others = sets.split_last().map_or(&[][..], |(_, others)| others);
        others.iter().fold(self.board, |free, set| free ^ set)
    }
}

impl<const K: usize> Place<K> {
    /// Moves to the neighbour in a direction, which must exist.
    #[inline(always)]
    fn step<D: Direction>(&mut self, numbering: &Arrangements<K>) {
        if let Some(last) = self.sets.last_mut()
            && let Some(set) = D::step(*last, self.free)
        {
            *last = set;
        } else {
            self.carry::<D>(numbering);
        }
    }

    /// Does the same if the last set has no neighbour: another set takes a step, and the sets after
    /// it start over.
    #[inline(never)]
    fn carry<D: Direction>(&mut self, numbering: &Arrangements<K>) {
        let counts = &numbering.blocks[self.block].digits.counts;
        if !tuples::carry::<D>(&mut self.sets, counts, numbering.board) {
            self.block = D::neighbour(self.block);
            let counts = &numbering.blocks[self.block].digits.counts;
            tuples::begin::<D>(&mut self.sets, counts, numbering.board);
        }
        self.free = numbering.free(&self.sets);
    }
}

impl<const K: usize> Iterator for Walk<'_, K> {
    type Item = [u64; K];

    #[inline]
    fn next(&mut self) -> Option<[u64; K]> {
        let index = self.indices.next()?;
        match &mut self.front {
            Some(place) => place.step::<Up>(self.numbering),
            None => self.front = self.place(index),
        }
        self.front.map(|place| place.sets)
    }

    fn nth(&mut self, n: usize) -> Option<[u64; K]> {
        if n > 0 {
            let skipped = self.indices.nth(n - 1);
            // The next arrangement is not a neighbour of the last one.
            self.front = None;
            skipped?;
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.indices.size_hint()
    }
}

impl<const K: usize> DoubleEndedIterator for Walk<'_, K> {
    #[inline]
    fn next_back(&mut self) -> Option<[u64; K]> {
        let index = self.indices.next_back()?;
        match &mut self.back {
            Some(place) => place.step::<Down>(self.numbering),
            None => self.back = self.place(index),
        }
        self.back.map(|place| place.sets)
    }

    fn nth_back(&mut self, n: usize) -> Option<[u64; K]> {
        if n > 0 {
            let skipped = self.indices.nth_back(n - 1);
            self.back = None;
            skipped?;
        }
        self.next_back()
    }
}

impl<const K: usize> FusedIterator for Walk<'_, K> {}
