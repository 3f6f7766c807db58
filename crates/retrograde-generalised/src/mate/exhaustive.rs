//! A slow reference implementation: breadth-first search over all arrangements after moves. The
//! tests compare the others with it.

use std::collections::HashMap;

use crate::mate::state::{Piece, State, Turn};

/// Each arrangement with the previous one and the move between them.
type Before = HashMap<Vec<Piece>, Option<(Vec<Piece>, (u32, u32))>>;

/// Finds the turn with the fewest moves that ejects an opposing piece; `None` if there is no such turn.
///
/// Stores every arrangement of the own pieces, so only for boards of one or two dozen squares.
pub fn least(state: &State) -> Option<Turn> {
    let mut before = Before::new();
    before.insert(state.pieces.clone(), None);
    let mut layer = vec![state.pieces.clone()];
    while !layer.is_empty() {
        for pieces in &layer {
            if let Some(push) = push(state, pieces) {
                let mut moves = Vec::new();
                let mut at = pieces;
                while let Some((earlier, made)) = &before[at] {
                    moves.insert(0, *made);
                    at = earlier;
                }
                return Some(Turn { moves, push });
            }
        }
        let mut found = Vec::new();
        for pieces in &layer {
            for (from, to) in moves(state, pieces) {
                let mut after = pieces.clone();
                after.swap(from as usize, to as usize);
                if !before.contains_key(&after) {
                    before.insert(after.clone(), Some((pieces.clone(), (from, to))));
                    found.push(after);
                }
            }
        }
        layer = found;
    }
    None
}

/// A push that immediately ejects an opposing piece.
fn push(state: &State, pieces: &[Piece]) -> Option<(u32, usize)> {
    let squares = 0..state.square_count() as u32;
    let mut pushes = squares.flat_map(|square| (0..4).map(move |direction| (square, direction)));
    pushes.find(|&push| state.ejects(pieces, push).is_ok())
}

/// All moves.
fn moves(state: &State, pieces: &[Piece]) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for from in (0..state.square_count() as u32).filter(|&square| pieces[square as usize].is_own()) {
        let mut reached = vec![from];
        let mut at = 0;
        while at < reached.len() {
            for (_, next) in state.neighbours(reached[at]) {
                if pieces[next as usize] == Piece::Empty && !reached.contains(&next) {
                    reached.push(next);
                }
            }
            at += 1;
        }
        found.extend(reached[1..].iter().map(|&to| (from, to)));
    }
    found
}
