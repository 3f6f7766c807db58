//! Games that cannot repeat: positions are gathered grade by grade and solved the other way, each
//! grade from those below it.

use std::collections::BTreeMap;

use retrograde_game::Graded;

use super::batches::{Batches, Coded};
use super::coding::Coding;
use super::gather::gather;
use super::layer::{Layer, ScoreList};
use super::settle::{LowerLayers, Settled};
use super::tasks::in_tasks;
use super::values::ReachableValues;
use crate::job::{Job, SolveError};

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
    let (layers, counts) = solve(&Coded { game, coding, start }, job)?;
    Ok(ReachableValues::new(coding, layers, counts, |game: &G, position| game.grade(position)))
}

/// All layers with their scores, the lowest grade first, and positions by score.
fn solve(game: &dyn Batches, job: &mut Job<'_>) -> Result<(Vec<Layer>, BTreeMap<u16, u64>), SolveError> {
    let pool = job.pool()?;
    let mut left = gather(game, job, &pool)?;
    let total = left.iter().map(|layer| layer.keys.len() as u64).sum();
    job.progress.stage("solving, grade by grade", total);
    let (mut layers, mut counts) = (Vec::new(), BTreeMap::new());
    while let Some(mut layer) = left.pop() {
        let lower = LowerLayers::new(&layers, layer.grade);
        let settle = |_, keys: &[u64]| {
            if job.progress.stopped() {
                return Err(SolveError::Stopped);
            }
            let settled = game.settle(keys, layer.grade, &lower)?;
            job.progress.advance(keys.len() as u64);
            Ok(settled)
        };
        let settled: Vec<Settled> = in_tasks(&pool, &layer.keys, &settle)?;
        let mut scores = Vec::new();
        for settled in settled {
            settled.counts.add_to(&mut counts);
            scores.push(settled.scores);
        }
        layer.scores = ScoreList::joined(scores);
        layers.push(layer);
    }
    Ok((layers, counts))
}
