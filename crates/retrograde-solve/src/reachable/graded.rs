//! Games that cannot repeat: positions are gathered grade by grade and solved the other way, each
//! grade from those below it.

use retrograde_game::Graded;

use super::batches::Coded;
use super::coding::Coding;
use super::values::ReachableValues;
use crate::job::{Job, SolveError};
use crate::together::solve_alone;

/// Solves what occurs from `start` in a game that cannot repeat. `coding` says how positions are
/// held. `job.horizon` and `job.checkpoint` are not used.
///
/// # Errors
/// If more positions occur than fit the memory, a game takes too long, it is stopped, or the game
/// breaks a promise: its turns lower the grade, and what occurs has a code.
pub fn solve_graded<G: Graded, C: Coding<G>>(
    game: &G,
    start: &G::Position,
    coding: C,
    job: &mut Job<'_>,
) -> Result<ReachableValues<G, C>, SolveError> {
    let (layers, counts) = solve_alone(&Coded::graded(game, coding, start), job)?;
    Ok(ReachableValues::new(coding, layers, counts, |game: &G, position| game.grade(position)))
}
