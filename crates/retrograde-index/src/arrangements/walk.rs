//! Walks from one arrangement to its neighbours.

use std::iter::FusedIterator;
use std::ops::Range;

use super::Arrangements;

/// The arrangements of a range of indices, from either end ([`Arrangements::walk`]).
#[derive(Clone, Debug)]
pub struct Walk<'a, const K: usize> {
    numbering: &'a Arrangements<K>,
    indices: Range<u64>,
}

impl<'a, const K: usize> Walk<'a, K> {
    pub(super) fn new(numbering: &'a Arrangements<K>, indices: Range<u64>) -> Walk<'a, K> {
        let end = indices.end.min(numbering.count());
        Walk { numbering, indices: indices.start.min(end)..end }
    }
}

impl<const K: usize> Iterator for Walk<'_, K> {
    type Item = [u64; K];

    fn next(&mut self) -> Option<[u64; K]> {
        self.numbering.unrank(self.indices.next()?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.indices.size_hint()
    }
}

impl<const K: usize> DoubleEndedIterator for Walk<'_, K> {
    fn next_back(&mut self) -> Option<[u64; K]> {
        self.numbering.unrank(self.indices.next_back()?)
    }
}

impl<const K: usize> FusedIterator for Walk<'_, K> {}
