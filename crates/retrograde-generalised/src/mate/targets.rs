//! Targets: for each push that can eject an opposing piece, the pusher's square and the squares
//! that must be filled.
//!
//! The opponent's pieces do not move during a turn. So whether a push from a square in a direction
//! can eject one depends only on whether every square of the line is occupied.

use crate::mate::state::{NONE, Piece, State};

/// A push that ejects an opposing piece as soon as a pusher is on its square and the line is full.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    pub square: u32,
    pub direction: usize,
    /// The squares of the line that the opponent does not occupy. All of them need own pieces.
    pub fill: Vec<u32>,
}

/// All targets of a state in the order of their squares.
pub(crate) fn targets(state: &State) -> Vec<Target> {
    let ends = state.where_is(Piece::Other).flat_map(|end| (0..4).map(move |direction| (end, direction)));
    let open = ends.filter(|&(end, direction)| {
        state.next[end as usize][direction] == NONE && state.rails[end as usize] >> direction & 1 == 0
    });
    let mut found: Vec<Target> = open.flat_map(|(end, direction)| before(state, end, direction)).collect();
    found.sort_unstable_by_key(|target| (target.square, target.direction));
    found
}

/// The targets of one line, which ends at an opposing piece that can be pushed off: from there
/// backwards, to the anchor or the other end.
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
