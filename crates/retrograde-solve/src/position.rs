//! The value of one position from the scores of its successors: the step that all solvers of dense
//! numberings share.

use std::ops::ControlFlow;

use retrograde_game::{Dense, Index, Outcome, Successor, Value};

use crate::array::{ScoreArray, SharedScore};

/// The score that the rules give an index whose position has no turns.
pub(crate) fn without_turns<G: Dense, S: SharedScore>(game: &G, index: Index) -> S {
    match game.position(index) {
        None => S::NONE,
        Some(position) => {
            let outcome = game.result(&position).unwrap_or_else(|| game.outcome_without_turns());
            over(outcome)
        }
    }
}

/// The score of a finished game.
#[inline]
pub(crate) fn over<S: SharedScore>(outcome: Outcome) -> S {
    match outcome {
        Outcome::Win => S::MAX,
        Outcome::Draw => S::DRAW,
        Outcome::Loss => S::from_value(Value::over(Outcome::Loss)).unwrap_or(S::NONE),
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
            Successor::Terminal(outcome) => over(outcome),
            Successor::At(index) => scores.get(index.0),
        };
        smallest = Some(smallest.map_or(score, |other: S| other.min(score)));
        ControlFlow::Continue(())
    });
    smallest
}
