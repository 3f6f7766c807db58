//! The value of one position from the scores of its successors, for all solvers of dense numberings.

use std::ops::ControlFlow;

use retrograde_game::{Dense, Index, Successor};

use crate::array::{ScoreArray, SharedScore};

/// The score of an index whose position has no turns.
pub fn score_without_turns<G: Dense, S: SharedScore>(game: &G, index: Index) -> S {
    match game.position(index) {
        None => S::NONE,
        Some(position) => score_of_end(game, &position),
    }
}

/// The score of a position that has no turns.
pub(crate) fn score_of_end<G: Dense, S: SharedScore>(game: &G, position: &G::Position) -> S {
    S::over(game.result(position).unwrap_or_else(|| game.outcome_without_turns()))
}

/// The smallest score among the successors of a position, all of which are decided; `None` if there are no
/// successors.
#[inline]
pub(crate) fn smallest<G: Dense, S: SharedScore>(
    game: &G,
    scores: &ScoreArray<S>,
    position: &G::Position,
) -> Option<S> {
    let mut any = false;
    let mut smallest = S::MAX;
    let _ = game.each_numbered_successor(position, |next| {
        let score = match next {
            Successor::Terminal(outcome) => S::over(outcome),
            Successor::At(index) => scores.get(index.0),
            Successor::Again(index) => scores.get(index.0).flipped(),
        };
        any = true;
        smallest = smallest.min(score);
        ControlFlow::Continue(())
    });
    any.then_some(smallest)
}
