//! Games that cannot repeat: positions are gathered grade by grade, the highest first, and solved from the
//! lowest grade up.

use retrograde_game::Graded;

use super::batches::Coded;
use super::coding::Coding;
use super::values::ReachableValues;
use crate::job::{Job, SolveError};
use crate::together::solve_alone;

/// Solves the positions reachable from `start` in a game that cannot repeat. Ignores `job.horizon` and
/// `job.checkpoint`.
///
/// # Errors
/// If the positions do not fit into memory, a game takes too long, it is stopped, or the game breaks a
/// promise: turns must lower the grade, and reachable positions must have a code.
pub fn solve_graded<G: Graded, C: Coding<G>>(
    game: &G,
    start: &G::Position,
    coding: C,
    job: &mut Job<'_>,
) -> Result<ReachableValues<G, C>, SolveError> {
    let (layers, counts) = solve_alone(&Coded::graded(game, coding, start), job)?;
    Ok(ReachableValues::new(coding, layers, counts, |game: &G, position| game.grade(position)))
}
