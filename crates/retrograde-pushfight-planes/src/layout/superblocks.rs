//! The superblocks that are stored, and their numbers.

use std::ops::Index;

use retrograde_game::{Square, Squares};
use retrograde_pushfight::Board;

use crate::layout::list_index::index_lists_by;
use crate::layout::scope::Scope;
use crate::layout::symmetry::SymmetryTables;

/// The number of a stored superblock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub(crate) struct SuperblockId(pub u32);

impl SuperblockId {
    #[inline(always)]
    pub(crate) const fn new(number: usize) -> SuperblockId {
        SuperblockId(number as u32)
    }

    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

index_lists_by!(SuperblockId);

/// Pairs each superblock with its entry of a list.
pub(crate) fn by_superblock<I: IntoIterator>(entries: I) -> impl Iterator<Item = (SuperblockId, I::Item)> {
    entries.into_iter().enumerate().map(|(number, entry)| (SuperblockId::new(number), entry))
}

/// Positions with one set of opposing pushers, one of them anchored, or none before the first push.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SuperblockKey {
    /// The number of the set.
    pub pushers: u32,
    /// A square of the set, or [`Layout::no_anchor`](crate::layout::numbering::Layout::no_anchor).
    pub anchor: Square,
}

/// The stored superblocks: the ones with the anchor on a canonical square.
pub(crate) struct SuperblockTable {
    keys: Vec<SuperblockKey>,
    /// The numbers by set of pushers and anchor; [`NOT_STORED`] for others.
    number: Vec<u32>,
    anchors: usize,
}

const NOT_STORED: u32 = u32::MAX;

impl SuperblockTable {
    pub(super) fn new(
        board: &Board,
        symmetries: &SymmetryTables,
        pusher_sets: &[Squares],
        scope: Scope,
    ) -> SuperblockTable {
        let anchors = board.square_count() + 1;
        let no_anchor = Square(board.square_count() as u8);
        let starts = scope == Scope::PlausibleAndStarts;
        let implausible = matches!(scope, Scope::All | Scope::Implausible);
        let mut keys = Vec::new();
        let mut number = vec![NOT_STORED; pusher_sets.len() * anchors];
        for (pushers, &set) in pusher_sets.iter().enumerate() {
            for anchor in set.with(no_anchor) {
                let stored = if anchor == no_anchor {
                    starts && (set & !board.halves()[1]).is_empty()
                } else {
                    symmetries.canonical_anchor(anchor).0 == anchor
                        && (implausible || board.neighbour_pairs(anchor).next().is_some())
                };
                if stored {
                    number[pushers * anchors + anchor.index()] = keys.len() as u32;
                    keys.push(SuperblockKey { pushers: pushers as u32, anchor });
                }
            }
        }
        SuperblockTable { keys, number, anchors }
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn contains(&self, superblock: SuperblockId) -> bool {
        superblock.index() < self.len()
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = SuperblockId> + Clone {
        (0..self.len()).map(SuperblockId::new)
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, SuperblockKey> {
        self.keys.iter()
    }

    /// The number of a superblock, if it is stored.
    #[inline(always)]
    pub(super) fn number(&self, pushers: usize, anchor: Square) -> Option<SuperblockId> {
        let number = self.number[pushers * self.anchors + anchor.index()];
        (number != NOT_STORED).then_some(SuperblockId(number))
    }
}

impl Index<SuperblockId> for SuperblockTable {
    type Output = SuperblockKey;

    #[inline(always)]
    fn index(&self, superblock: SuperblockId) -> &SuperblockKey {
        &self.keys[superblock]
    }
}
