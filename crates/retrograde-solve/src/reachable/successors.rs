//! The successors of positions that are stored as keys.

use std::ops::ControlFlow;

use retrograde_game::{Dense, Game, Outcome};

use super::coding::{Coding, code_of, key_of};
use crate::job::SolveError;

/// A successor of a position.
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
        SolveError::BrokenPromise(format!("{} is reachable but has no index", game.position_text(position)))
    })
}

/// The first index of the prelude, which follows the indices of the game proper.
pub(super) fn first_before<G: Dense>(game: &G) -> u64 {
    u64::try_from(game.index_count() - u128::from(game.prelude())).unwrap_or(u64::MAX)
}

/// Visits the successors of a position. The grades of unfinished successors are below `end`.
#[inline]
pub(super) fn each_next<G: Game, C: Coding<G>>(
    game: &G,
    coding: C,
    position: &G::Position,
    (grade_of, end): (impl Fn(&G::Position) -> u64, u64),
    mut visit: impl FnMut(Successor),
) -> Result<(), SolveError> {
    let counted = game.turn_is_counted(position);
    let mut fault = None;
    let _ = game.each_successor(position, |next| {
        if let Some(outcome) = game.result_after(position, &next) {
            visit(Successor::Over(outcome));
            return ControlFlow::Continue(());
        }
        let grade = grade_of(&next);
        let wrong = match coding.code(game, &next) {
            None => Fault::NoIndex,
            Some(_) if grade >= end => Fault::Grade { grade, end },
            Some(_) if counted && !game.turn_is_counted(&next) => Fault::BeforeTheGame,
            Some(code) => {
                visit(Successor::At { grade, key: key_of(code), again: game.moves_again(position, &next) });
                return ControlFlow::Continue(());
            }
        };
        fault = Some((wrong, next));
        ControlFlow::Break(())
    });
    fault.map_or(Ok(()), |(fault, next)| Err(fault.error(game, position, &next)))
}

/// Why a successor breaks a promise of the game.
enum Fault {
    NoIndex,
    Grade { grade: u64, end: u64 },
    BeforeTheGame,
}

impl Fault {
    /// The error in words. Not part of [`each_next`], which is compiled once for each of its callers.
    #[cold]
    fn error<G: Game>(self, game: &G, position: &G::Position, next: &G::Position) -> SolveError {
        let [from, to] = [position, next].map(|position| game.position_text(position));
        SolveError::BrokenPromise(match self {
            Fault::NoIndex => format!("{to} is reachable but has no index"),
            Fault::Grade { grade, end } => {
                format!("{from} leads to {to}, whose grade is {grade} and not less than {end}")
            }
            Fault::BeforeTheGame => format!("{from} leads back to {to}, which is before the game"),
        })
    }
}
