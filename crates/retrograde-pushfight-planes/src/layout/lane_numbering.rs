//! The tables that convert global lanes to local ones and back, and that move one pawn of a lane by a
//! step.

use retrograde_game::Squares;
use retrograde_index::Combinations;
use retrograde_pushfight::Board;

use crate::layout::lanes::{GlobalLane, LocalLane};
use crate::layout::sets::{PackedSquares, expand};

/// For a set of pushers and a local lane the global one, and back; `packed` has the local sets of pawns.
pub(super) fn global_and_local(
    board: &Board,
    sets: &Combinations,
    pusher_sets: &[Squares],
    pawn_sets: &[Squares],
    packed: &[PackedSquares],
) -> (Vec<GlobalLane>, Vec<LocalLane>) {
    let mut to_global = Vec::with_capacity(pusher_sets.len() * packed.len());
    let mut to_local = vec![LocalLane::NONE; pusher_sets.len() * pawn_sets.len()];
    for (number, &set) in pusher_sets.iter().enumerate() {
        for (lane, &packed) in packed.iter().enumerate() {
            let global = sets.rank(expand(packed, board.all() & !set).0) as usize;
            to_global.push(GlobalLane::new(global));
            to_local[number * pawn_sets.len() + global] = LocalLane::new(lane);
        }
    }
    (to_global, to_local)
}

/// For a direction, a square and a lane the one with that pawn one step on, if that square is
/// empty.
pub(super) fn shifts(board: &Board, sets: &Combinations, pawn_sets: &[Squares]) -> Vec<GlobalLane> {
    let mut shift = vec![GlobalLane::NONE; 4 * board.square_count() * pawn_sets.len()];
    for (lane, &set) in pawn_sets.iter().enumerate() {
        for square in set {
            for direction in 0..4 {
                if let Some(to) = board.neighbour(square, direction)
                    && !set.contains(to)
                {
                    let after = set.without(square).with(to);
                    shift[(direction * board.square_count() + square.index()) * pawn_sets.len() + lane] =
                        GlobalLane::new(sets.rank(after.0) as usize);
                }
            }
        }
    }
    shift
}
