//! The numberings of sets of pawns, and the tables that lead from one to another.

use retrograde_index::Combinations;

use crate::layout::board_tables::BoardTables;
use crate::layout::sets::{expand, squares};

/// No number.
pub(crate) const NO_LANE: u16 = u16::MAX;

/// Lanes over the whole board (global ones) and over the squares that a set of pushers leaves free (local ones).
pub(crate) struct LaneNumbering {
    /// The number of lanes that are local to a set of pushers, and that of all lanes.
    locals: usize,
    globals: usize,
    squares: usize,
    /// For a set of pushers and a local lane the global one, and back.
    to_global: Vec<u16>,
    to_local: Vec<u16>,
    /// For a direction, a square and a global lane the one with that pawn one step on.
    shift: Vec<u16>,
}

impl LaneNumbering {
    /// For the sets of pushers and of pawns on a board; `packed` has the sets of pawns beside pushers.
    pub(super) fn new(
        board: &BoardTables,
        sets: &Combinations,
        pusher_sets: &[u64],
        pawn_sets: &[u64],
        packed: &[u64],
    ) -> LaneNumbering {
        let mut to_global = Vec::with_capacity(pusher_sets.len() * packed.len());
        let mut to_local = vec![NO_LANE; pusher_sets.len() * pawn_sets.len()];
        for (number, &set) in pusher_sets.iter().enumerate() {
            for (lane, &packed) in packed.iter().enumerate() {
                let global = sets.rank(expand(packed, board.all & !set)) as usize;
                to_global.push(global as u16);
                to_local[number * pawn_sets.len() + global] = lane as u16;
            }
        }
        LaneNumbering {
            locals: packed.len(),
            globals: pawn_sets.len(),
            squares: board.squares,
            to_global,
            to_local,
            shift: shifts(board, sets, pawn_sets),
        }
    }

    #[inline(always)]
    pub(super) fn globals(&self, pushers: usize) -> &[u16] {
        &self.to_global[pushers * self.locals..][..self.locals]
    }

    #[inline(always)]
    pub(super) fn locals(&self, pushers: usize) -> &[u16] {
        &self.to_local[pushers * self.globals..][..self.globals]
    }

    #[inline(always)]
    pub(super) fn global(&self, pushers: usize, lane: usize) -> usize {
        usize::from(self.to_global[pushers * self.locals + lane])
    }

    #[inline(always)]
    pub(super) fn shifted(&self, direction: usize, square: usize, global: usize) -> usize {
        usize::from(self.shift[(direction * self.squares + square) * self.globals + global])
    }
}

/// For a direction, a square and a lane the one with that pawn one step on, if that square is empty.
fn shifts(board: &BoardTables, sets: &Combinations, pawn_sets: &[u64]) -> Vec<u16> {
    let mut shift = vec![NO_LANE; 4 * board.squares * pawn_sets.len()];
    for (lane, &set) in pawn_sets.iter().enumerate() {
        for square in squares(set) {
            for (direction, to) in board.next[square].iter().enumerate() {
                if let Some(to) = to
                    && set >> to & 1 == 0
                {
                    shift[(direction * board.squares + square) * pawn_sets.len() + lane] =
                        sets.rank(set & !(1 << square) | 1 << to) as u16;
                }
            }
        }
    }
    shift
}
