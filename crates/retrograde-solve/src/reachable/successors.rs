//! The successors of positions that are held as keys.

use std::ops::ControlFlow;

use retrograde_game::{Game, Graded, Outcome};

use super::coding::{Coding, code_of, key_of};
use crate::job::SolveError;

/// A position that follows another.
pub(super) enum Successor {
    /// The game is over there, with this outcome for the opponent of the player who made the turn.
    Over(Outcome),
    /// An unfinished position, and whether the same player moves again there.
    At { grade: u64, key: u64, again: bool },
}

/// The position of a key.
pub(super) fn position_of<G: Game, C: Coding<G>>(
    game: &G,
    coding: C,
    key: u64,
) -> Result<G::Position, SolveError> {
    coding.position(game, code_of(key)).ok_or_else(|| {
        SolveError::BrokenPromise("a position was numbered, and its number has no position".to_owned())
    })
}

/// The key of a position.
pub(super) fn key_of_position<G: Game, C: Coding<G>>(
    game: &G,
    coding: C,
    position: &G::Position,
) -> Result<u64, SolveError> {
    coding.code(game, position).map(key_of).ok_or_else(|| {
        SolveError::BrokenPromise(format!("{} occurs and has no number", game.position_text(position)))
    })
}

/// Visits the successors of a position of a grade.
#[inline]
pub(super) fn each_next<G: Graded, C: Coding<G>>(
    game: &G,
    coding: C,
    position: &G::Position,
    above: u64,
    mut visit: impl FnMut(Successor),
) -> Result<(), SolveError> {
    let mut fault = None;
    let _ = game.each_successor(position, |next| {
        if let Some(outcome) = game.result_after(position, &next) {
            visit(Successor::Over(outcome));
            return ControlFlow::Continue(());
        }
        let grade = game.grade(&next);
        match coding.code(game, &next) {
            Some(code) if grade < above => {
                visit(Successor::At { grade, key: key_of(code), again: game.moves_again(position, &next) });
                ControlFlow::Continue(())
            }
            Some(_) => {
                fault = Some(format!(
                    "{} leads to {}, whose grade is {grade} and not less than {above}",
                    game.position_text(position),
                    game.position_text(&next)
                ));
                ControlFlow::Break(())
            }
            None => {
                fault = Some(format!("{} occurs and has no number", game.position_text(&next)));
                ControlFlow::Break(())
            }
        }
    });
    fault.map_or(Ok(()), |fault| Err(SolveError::BrokenPromise(fault)))
}
