//! Solves reachable positions in files, if they do not fit into memory.

use super::batches::{Kind, Reachable};
use super::files::Files;
use super::scores::ReachableScores;
use super::spill::Sizes;
use super::spilled_scores::SpilledScores;
use super::{graded_on_disk, repeating_on_disk};
use crate::job::{Job, SolveError};
use crate::spill::Spill;

/// Solves the positions reachable from the start like [`super::solve`], but in files. Resumes from the files of an
/// earlier run of the same solve.
///
/// # Errors
/// The errors of [`super::solve`] and of the files. Positions before the game proper must fit into memory if the
/// game can repeat, and players must alternate.
pub fn solve_on_disk(
    game: &Reachable<'_>,
    job: &Job<'_>,
    spill: Box<dyn Spill>,
) -> Result<ReachableScores, SolveError> {
    game.require_alternation()?;
    let (pool, progress, sizes) = (job.pool()?, job.progress, Sizes::new(job.memory));
    let files = Files { spill: &*spill, progress, pool: &pool, sizes, memory: job.memory };
    let numbered = match &game.0 {
        Kind::Graded(game) => graded_on_disk::solve(&**game, files)?,
        Kind::Repeating(game) => repeating_on_disk::solve(&**game, files)?,
    };
    Ok(ReachableScores::InFiles(SpilledScores::new(spill, numbered)))
}
