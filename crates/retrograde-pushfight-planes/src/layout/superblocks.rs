//! The superblocks that are stored, and their numbers.

use crate::layout::board_tables::BoardTables;
use crate::layout::scope::Scope;
use crate::layout::sets::squares;
use crate::layout::symmetry::SymmetryTables;

/// Positions with one set of opposing pushers, one of them anchored, or none before the first push.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SuperblockKey {
    /// The number of the set.
    pub pushers: u32,
    /// A square, or one more than there are for none.
    pub anchor: u8,
}

/// The stored superblocks: those with the anchor on a square that stands for all its images.
pub(crate) struct SuperblockTable {
    keys: Vec<SuperblockKey>,
    /// The numbers by set of pushers and anchor; [`NOT_STORED`] for others.
    number: Vec<u32>,
    anchors: usize,
}

const NOT_STORED: u32 = u32::MAX;

impl SuperblockTable {
    pub(super) fn new(
        board: &BoardTables,
        symmetries: &SymmetryTables,
        pusher_sets: &[u64],
        scope: Scope,
    ) -> SuperblockTable {
        let no_anchor = board.squares;
        let starts = matches!(scope, Scope::PlausibleAndStarts | Scope::AllAndStarts);
        let implausible = matches!(scope, Scope::All | Scope::AllAndStarts | Scope::Implausible);
        let mut keys = Vec::new();
        let mut number = vec![NOT_STORED; pusher_sets.len() * (no_anchor + 1)];
        for (pushers, &set) in pusher_sets.iter().enumerate() {
            for anchor in squares(set | 1 << no_anchor) {
                let stored = if anchor == no_anchor {
                    starts && set & !board.halves[1] == 0
                } else {
                    symmetries.canonical_anchor(anchor).0 == anchor
                        && (implausible || !board.opposite_neighbours[anchor].is_empty())
                };
                if stored {
                    number[pushers * (no_anchor + 1) + anchor] = keys.len() as u32;
                    keys.push(SuperblockKey { pushers: pushers as u32, anchor: anchor as u8 });
                }
            }
        }
        SuperblockTable { keys, number, anchors: no_anchor + 1 }
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, SuperblockKey> {
        self.keys.iter()
    }

    /// The number of a superblock, if it is stored.
    #[inline(always)]
    pub(super) fn number(&self, pushers: usize, anchor: usize) -> Option<usize> {
        let number = self.number[pushers * self.anchors + anchor];
        (number != NOT_STORED).then_some(number as usize)
    }
}

impl std::ops::Index<usize> for SuperblockTable {
    type Output = SuperblockKey;

    #[inline(always)]
    fn index(&self, superblock: usize) -> &SuperblockKey {
        &self.keys[superblock]
    }
}
