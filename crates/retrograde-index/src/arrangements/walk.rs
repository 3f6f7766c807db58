//! Walks from one arrangement to its neighbours, which differ little: mostly by one piece of the
//! last set.

use std::iter::FusedIterator;
use std::ops::Range;

use super::Arrangements;
use crate::tuples::{self, Direction, Down, Up};

/// The arrangements of a range of indices, from either end ([`Arrangements::walk`]).
#[derive(Clone, Debug)]
pub struct Walk<'a, const K: usize> {
    numbering: &'a Arrangements<K>,
    /// The indices that are left.
    indices: Range<u64>,
    /// The last arrangement from the front, if one was made, and from the back.
    front: Option<Place<K>>,
    back: Option<Place<K>>,
}

/// An arrangement on the way.
#[derive(Clone, Copy, Debug)]
struct Place<const K: usize> {
    sets: [u64; K],
    /// The squares that all sets but the last leave free.
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
    /// The squares that all sets but the last leave free.
    fn free(&self, sets: &[u64; K]) -> u64 {
        let others = sets.split_last().map_or(&[][..], |(_, others)| others);
        others.iter().fold(self.board, |free, set| free ^ set)
    }
}

impl<const K: usize> Place<K> {
    /// Goes to the neighbour in a direction, which is there.
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

    /// The same where the last set has no neighbour: another set takes a step, and those after it
    /// begin anew.
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
            // The next one is not the neighbour of the last one.
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
