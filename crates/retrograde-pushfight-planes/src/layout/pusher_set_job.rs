//! The unit of work of a phase: all positions with one set of opposing pushers.

use retrograde_game::{Square, Squares};

use crate::layout::numbering::Layout;
use crate::layout::superblocks::SuperblockId;

/// All positions with one set of opposing pushers.
pub(crate) struct PusherSetJob<const W: usize> {
    /// The number of the set, and the set.
    pub number: usize,
    pub pushers: Squares,
    /// The anchors with stored superblocks, and these superblocks. (One past the last square means no
    /// anchor.)
    pub anchors: Vec<(Square, SuperblockId)>,
    /// For every anchor the opposing pawns (local lanes) that need work, and their union.
    pub needed: Vec<[u64; W]>,
    pub needed_any: [u64; W],
    /// For every square of the board the local lanes without a pawn there.
    clear: [[u64; W]; 64],
}

impl<const W: usize> PusherSetJob<W> {
    pub(crate) fn new(
        layout: &Layout,
        number: usize,
        needed: &mut dyn FnMut(SuperblockId) -> [u64; W],
    ) -> PusherSetJob<W> {
        let pushers = layout.pusher_sets[number];
        let anchors: Vec<(Square, SuperblockId)> = (pushers.with(layout.no_anchor()).into_iter())
            .filter_map(|anchor| Some((anchor, layout.superblock_of(number, anchor)?)))
            .collect();
        let mut clear = [layout.all_lanes(); 64];
        for (local, square) in (layout.board.all() & !pushers).into_iter().enumerate() {
            clear[square.index()].copy_from_slice(&layout.lanes_without_pawn[local]);
        }
        let needed: Vec<[u64; W]> = anchors.iter().map(|&(_, superblock)| needed(superblock)).collect();
        let needed_any =
            needed.iter().fold([0; W], |any, needed| std::array::from_fn(|w| any[w] | needed[w]));
        PusherSetJob { number, pushers, anchors, needed, needed_any, clear }
    }

    pub(crate) fn idle(&self) -> bool {
        self.needed_any == [0; W]
    }

    /// The local lanes with pawns on some squares and on none of others.
    #[inline(always)]
    pub(crate) fn lanes(&self, on: Squares, off: Squares) -> [u64; W] {
        let mut lanes = self.clear[63];
        for square in off {
            for word in 0..W {
                lanes[word] &= self.clear_of(square)[word];
            }
        }
        for square in on {
            for word in 0..W {
                lanes[word] &= !self.clear_of(square)[word];
            }
        }
        lanes
    }

    /// The local lanes without a pawn on a square.
    #[inline(always)]
    pub(crate) fn clear_of(&self, square: Square) -> &[u64; W] {
        &self.clear[square.index() & 63]
    }

    /// The local lanes without a pawn on any of some squares.
    #[inline(always)]
    pub(crate) fn lanes_clear_of(&self, squares: Squares) -> [u64; W] {
        self.lanes(Squares::EMPTY, squares)
    }
}
