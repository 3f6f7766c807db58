//! Games that cannot repeat: positions are gathered grade by grade, the highest first, and solved from the
//! lowest grade up.

use retrograde_game::Graded;

use super::batches::{Coded, images_by_number};
use super::coding::Coding;
use super::values::NumberedScores;
use crate::job::{Job, SolveError};
use crate::together::solve_alone;

/// Solves the positions reachable from `start` in a game that cannot repeat. `number` numbers the positions.
/// Ignores `job.horizon` and `job.checkpoint`.
///
/// # Errors
/// If the positions do not fit into memory, a game takes too long, it is stopped, or the game breaks a
/// promise: turns must lower the grade, and reachable positions must have a code and a number.
pub fn solve_graded<G: Graded, C: Coding<G>>(
    game: &G,
    start: &G::Position,
    (coding, number): (C, impl Fn(&G, &G::Position) -> Option<u64> + Sync),
    job: &mut Job<'_>,
) -> Result<NumberedScores, SolveError> {
    let numbers = |scored: &[(u64, u16)]| images_by_number(game, coding, &number, scored);
    solve_alone(&Coded::graded(game, coding, start), &numbers, job)
}
