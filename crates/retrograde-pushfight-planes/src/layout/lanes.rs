//! Lanes: the numbers of sets of pawns, over the whole board or over the squares that a set of pushers
//! leaves free.

use std::marker::PhantomData;
use std::ops::Index;

use crate::layout::list_index::index_lists_by;

/// The number of a set of pawns in one of the two numberings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub(crate) struct Lane<Numbering>(u16, PhantomData<Numbering>);

/// The numbering over the whole board, and the numbering over the squares that a set of pushers leaves free.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Global;
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Local;

/// The number of a set of pawns among all sets on the board.
pub(crate) type GlobalLane = Lane<Global>;

/// The number of a set of pawns among the sets that a set of pushers leaves room for: the row of a
/// cell, or the bit of a row.
pub(crate) type LocalLane = Lane<Local>;

impl<Numbering> Lane<Numbering> {
    /// No such set: its pawns do not fit on the board, or stand on the pushers.
    pub(crate) const NONE: Lane<Numbering> = Lane(u16::MAX, PhantomData);

    #[inline(always)]
    pub(crate) fn new(number: usize) -> Lane<Numbering> {
        Lane(number as u16, PhantomData)
    }

    #[inline(always)]
    pub(crate) fn index(&self) -> usize {
        self.0 as usize
    }
}

index_lists_by!(LocalLane);

/// A table that maps lanes of one numbering to lanes of another.
pub(crate) struct LaneMap<'a, From, To> {
    to: &'a [To],
    from: PhantomData<From>,
}

impl<'a, From, To> LaneMap<'a, From, To> {
    #[inline(always)]
    pub(super) fn new(to: &'a [To]) -> LaneMap<'a, From, To> {
        LaneMap { to, from: PhantomData }
    }
}

impl<Numbering, To> Index<Lane<Numbering>> for LaneMap<'_, Lane<Numbering>, To> {
    type Output = To;

    #[inline(always)]
    fn index(&self, lane: Lane<Numbering>) -> &To {
        &self.to[lane.index()]
    }
}
