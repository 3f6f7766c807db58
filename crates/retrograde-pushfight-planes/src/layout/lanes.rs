//! Lanes: the numbers of sets of pawns, over the whole board or beside a set of pushers.

use std::marker::PhantomData;
use std::ops::Index;

use crate::layout::list_index::index_lists_by;

/// A set of pawns, by its number among those of the whole board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub(crate) struct GlobalLane(u16);

/// A set of pawns, by its number among those beside a set of pushers: the row of a cell, or the bit
/// of a row.
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

/// A table from lanes of one numbering to those of another.
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
