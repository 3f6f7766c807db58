//! Targets: for each push that can eject an opponent piece, the pusher's square and the squares
//! that must be filled.
//!
//! The opponent's pieces stand still during a turn. So whether a push from a square in a direction
//! can eject one is known but for one thing: whether every square of the line is occupied.

use crate::mate::state::{NONE, Piece, State};

/// A push that ejects an opponent piece as soon as a pusher stands there and the line is full.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    pub square: u32,
    pub direction: usize,
    /// The squares of the line that the opponent does not occupy: own pieces have to stand on all
    /// of them.
    pub fill: Vec<u32>,
}

/// All targets of a state, in the order of their squares.
pub(crate) fn targets(state: &State) -> Vec<Target> {
    let ends = state.where_is(Piece::Other).flat_map(|end| (0..4).map(move |direction| (end, direction)));
    let open = ends.filter(|&(end, direction)| {
        state.next[end as usize][direction] == NONE && state.rails[end as usize] >> direction & 1 == 0
    });
    let mut found: Vec<Target> = open.flat_map(|(end, direction)| before(state, end, direction)).collect();
    found.sort_unstable_by_key(|target| (target.square, target.direction));
    found
}

/// The targets of one line, which ends at an opponent piece that can be pushed off: from there
/// backwards, to the anchor or to the other end.
fn before(state: &State, end: u32, direction: usize) -> Vec<Target> {
    let mut found = Vec::new();
    let mut fill = Vec::new();
    for square in state.line(end, (direction + 2) % 4) {
        match state.pieces[square as usize] {
            Piece::Anchored => break,
            Piece::Other => {}
            _ => {
                found.push(Target { square, direction, fill: fill.clone() });
                fill.push(square);
            }
        }
    }
    found
}
