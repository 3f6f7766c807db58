//! The value of one position from the scores of its successors.

use retrograde_game::{Dense, Game, Index, Score, Value};

/// The score of an index whose position has no turns.
pub(crate) fn score_without_turns<G: Dense>(game: &G, index: Index) -> u16 {
    match game.position(index) {
        None => u16::NONE,
        Some(position) => score_of_end(game, &position),
    }
}

/// The score of a position that has no turns.
pub(crate) fn score_of_end<G: Game>(game: &G, position: &G::Position) -> u16 {
    u16::over(game.result(position).unwrap_or_else(|| game.outcome_without_turns()))
}

/// The score of a position, before the game proper or in it, whose least successor score is `least`, or
/// `None` if it has no turns. If successors are `undecided`, they end beyond the horizon, and only wins are
/// certain. Returns `None` if the game is too long.
#[inline]
pub(crate) fn score_before<G: Game>(
    game: &G,
    position: &G::Position,
    least: Option<u16>,
    undecided: bool,
) -> Option<u16> {
    let Some(least) = least else { return Some(score_of_end(game, position)) };
    if undecided && !matches!(least.value(), Some(Value::Loss(_))) {
        return Some(u16::UNKNOWN);
    }
    if game.turn_is_counted(position) { least.before_turn() } else { Some(least.flipped()) }
}
