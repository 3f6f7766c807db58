//! The value of one position from the scores of its successors.

use std::ops::ControlFlow;

use retrograde_game::{Dense, Game, Index, Score, Value};

use crate::array::{ScoreArray, SharedScore};

/// The score of an index whose position has no turns.
pub(crate) fn score_without_turns<G: Dense, S: Score>(game: &G, index: Index) -> S {
    match game.position(index) {
        None => S::NONE,
        Some(position) => score_of_end(game, &position),
    }
}

/// The score of a position that has no turns.
pub(crate) fn score_of_end<G: Game, S: Score>(game: &G, position: &G::Position) -> S {
    S::over(game.result(position).unwrap_or_else(|| game.outcome_without_turns()))
}

/// The score of a position, before the game proper or in it, whose least successor score is `least`, or
/// `None` if it has no turns. If successors are `undecided`, they end beyond the horizon, and only wins are
/// certain. Returns `None` if the game is too long.
#[inline]
pub(crate) fn score_before<G: Game, S: Score>(
    game: &G,
    position: &G::Position,
    least: Option<S>,
    undecided: bool,
) -> Option<S> {
    let Some(least) = least else { return Some(score_of_end(game, position)) };
    if undecided && !matches!(least.value(), Some(Value::Loss(_))) {
        return Some(S::UNKNOWN);
    }
    if game.turn_is_counted(position) { least.before_turn() } else { Some(least.flipped()) }
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
        any = true;
        smallest = smallest.min(scores.seen(next));
        ControlFlow::Continue(())
    });
    any.then_some(smallest)
}
