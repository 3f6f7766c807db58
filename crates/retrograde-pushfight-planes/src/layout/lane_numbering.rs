//! The tables that convert global lanes to local ones and back, and that move one pawn of a lane by a
//! step.

use retrograde_game::{Square, Squares};
use retrograde_index::Combinations;

use crate::layout::board_tables::BoardTables;
use crate::layout::lanes::{GlobalLane, LaneMap, LocalLane};
use crate::layout::sets::{PackedSquares, expand};

/// Lanes over the whole board (global ones) and over the squares that a set of pushers leaves free
/// (local ones).
pub(crate) struct LaneNumbering {
    /// The number of lanes that are local to a set of pushers, and the number of all lanes.
    locals: usize,
    globals: usize,
    squares: usize,
    /// For a set of pushers and a local lane the global one, and back.
    to_global: Vec<GlobalLane>,
    to_local: Vec<LocalLane>,
    /// For a direction, a square and a global lane the one with that pawn one step on.
    shift: Vec<GlobalLane>,
}

impl LaneNumbering {
    /// Builds the tables for the sets of pushers and pawns of a board; `packed` has the local sets of
    /// pawns.
    pub(super) fn new(
        board: &BoardTables,
        sets: &Combinations,
        pusher_sets: &[Squares],
        pawn_sets: &[Squares],
        packed: &[PackedSquares],
    ) -> LaneNumbering {
        let mut to_global = Vec::with_capacity(pusher_sets.len() * packed.len());
        let mut to_local = vec![LocalLane::NONE; pusher_sets.len() * pawn_sets.len()];
        for (number, &set) in pusher_sets.iter().enumerate() {
            for (lane, &packed) in packed.iter().enumerate() {
                let global = sets.rank(expand(packed, board.all & !set).0) as usize;
                to_global.push(GlobalLane::new(global));
                to_local[number * pawn_sets.len() + global] = LocalLane::new(lane);
            }
        }
        LaneNumbering {
            locals: packed.len(),
            globals: pawn_sets.len(),
            squares: board.square_count,
            to_global,
            to_local,
            shift: shifts(board, sets, pawn_sets),
        }
    }

    #[inline(always)]
    pub(super) fn globals(&self, pushers: usize) -> LaneMap<'_, LocalLane, GlobalLane> {
        LaneMap::new(&self.to_global[pushers * self.locals..][..self.locals])
    }

    #[inline(always)]
    pub(super) fn locals(&self, pushers: usize) -> LaneMap<'_, GlobalLane, LocalLane> {
        LaneMap::new(&self.to_local[pushers * self.globals..][..self.globals])
    }

    #[inline(always)]
    pub(super) fn global(&self, pushers: usize, lane: LocalLane) -> GlobalLane {
        self.to_global[pushers * self.locals + lane.index()]
    }

    #[inline(always)]
    pub(super) fn shifted(&self, direction: usize, square: Square, lane: GlobalLane) -> GlobalLane {
        self.shift[(direction * self.squares + square.index()) * self.globals + lane.index()]
    }
}

/// For a direction, a square and a lane the one with that pawn one step on, if that square is
/// empty.
fn shifts(board: &BoardTables, sets: &Combinations, pawn_sets: &[Squares]) -> Vec<GlobalLane> {
    let mut shift = vec![GlobalLane::NONE; 4 * board.square_count * pawn_sets.len()];
    for (lane, &set) in pawn_sets.iter().enumerate() {
        for square in set {
            for direction in 0..4 {
                if let Some(to) = board.neighbour(square, direction)
                    && !set.contains(to)
                {
                    let after = set.without(square).with(to);
                    shift[(direction * board.square_count + square.index()) * pawn_sets.len() + lane] =
                        GlobalLane::new(sets.rank(after.0) as usize);
                }
            }
        }
    }
    shift
}
