//! The value of one position from the scores of its successors, and positions one after the other.

use std::ops::{ControlFlow, Range};

use retrograde_game::{Dense, Flow, Game, Index, Score, Value};

/// Visits the positions of a range of indices as [`Dense::walk_down`] does, and calls `gap` for each index
/// on the way that has no position.
#[inline]
pub(crate) fn walk_with_gaps<G: Dense>(
    game: &G,
    indices: Range<u64>,
    gap: impl Fn(u64),
    mut visit: impl FnMut(u64, G::Position) -> Flow,
) -> Flow {
    let mut rest = indices.end;
    game.walk_down(Index(indices.start)..Index(indices.end), |Index(index), position| {
        (index + 1..rest).for_each(&gap);
        rest = index;
        visit(index, position)
    })?;
    (indices.start..rest).for_each(gap);
    ControlFlow::Continue(())
}

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
