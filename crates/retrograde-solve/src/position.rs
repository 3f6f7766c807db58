//! The value of one position from the scores of its successors: the step that all solvers of dense
//! numberings share.

use std::ops::ControlFlow;

use retrograde_game::{Dense, Index, Successor};

use crate::array::{ScoreArray, SharedScore};

/// The score that the rules give an index whose position has no turns.
pub fn score_without_turns<G: Dense, S: SharedScore>(game: &G, index: Index) -> S {
    match game.position(index) {
        None => S::NONE,
        Some(position) => {
            let outcome = game.result(&position).unwrap_or_else(|| game.outcome_without_turns());
            S::over(outcome)
        }
    }
}

/// The smallest score among the successors of an index, all of which are decided; `None` if there
/// are none.
#[inline]
pub(crate) fn smallest<G: Dense, S: SharedScore>(
    game: &G,
    scores: &ScoreArray<S>,
    index: Index,
) -> Option<S> {
    let mut smallest = None;
    let _ = game.each_successor_at(index, |next| {
        let score = match next {
            Successor::Terminal(outcome) => S::over(outcome),
            Successor::At(index) => scores.get(index.0),
        };
        smallest = Some(smallest.map_or(score, |other: S| other.min(score)));
        ControlFlow::Continue(())
    });
    smallest
}
