//! Lanes: the numbers of sets of pawns, over the whole board or over the squares that a set of pushers
//! leaves free.

use std::marker::PhantomData;
use std::ops::Index;

use crate::layout::list_index::index_lists_by;

/// The number of a set of pawns among all sets on the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub(crate) struct GlobalLane(u16);

/// The number of a set of pawns among the sets that a set of pushers leaves room for: the row of a
/// cell, or the bit of a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub(crate) struct LocalLane(u16);

impl GlobalLane {
    /// No such set.
    pub(crate) const NONE: GlobalLane = GlobalLane(u16::MAX);

    #[inline(always)]
    pub(crate) const fn new(number: usize) -> GlobalLane {
        GlobalLane(number as u16)
    }

    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl LocalLane {
    /// No such set: its pawns stand on the pushers.
    pub(crate) const NONE: LocalLane = LocalLane(u16::MAX);

    #[inline(always)]
    pub(crate) const fn new(number: usize) -> LocalLane {
        LocalLane(number as u16)
    }

    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
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

impl<To> Index<LocalLane> for LaneMap<'_, LocalLane, To> {
    type Output = To;

    #[inline(always)]
    fn index(&self, lane: LocalLane) -> &To {
        &self.to[lane.index()]
    }
}

impl<To> Index<GlobalLane> for LaneMap<'_, GlobalLane, To> {
    type Output = To;

    #[inline(always)]
    fn index(&self, lane: GlobalLane) -> &To {
        &self.to[lane.index()]
    }
}
