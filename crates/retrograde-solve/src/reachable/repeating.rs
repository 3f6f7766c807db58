//! Reachable positions of games that can repeat, by the keys of their indices. First all of them are gathered
//! in sets. Then the places of the sorted keys are their numbers, and the solver of dense numberings works
//! backwards.
//!
//! A position takes its key, a share of the directory, and a score: about ten bytes, in addition to what
//! solving backwards takes for open positions.

use std::ops::ControlFlow;

use retrograde_game::{Dense, Index, Predecessors};

use super::coding::{ByIndex, code_of, key_of};
use super::layer::BYTES_A_KEY;
use super::numbering::ReachableGame;
use super::repeating_share::GatheredShare;
use super::successors::{first_before, key_of_position};
use super::tasks::TASK;
use super::values::NumberedScores;
use crate::job::{Job, Scores, SolveError};
use crate::retrograde::{Capabilities, Retrograde};
use crate::together::gather_alone;

/// The number of positions whose successors are in memory at a time; some games have hundreds each.
const BATCH: usize = TASK << 2;

/// Gathers the positions reachable from a start, until there are more than `most` keys. Returns whether all
/// were found.
pub(super) fn gather<G: Dense>(
    game: &G,
    start: &G::Position,
    job: &Job<'_>,
    most: u64,
) -> Result<(GatheredShare, bool), SolveError> {
    let find = |keys: &[u64]| {
        let mut found = Vec::new();
        for &key in keys {
            let _ = game.each_successor_at(Index(code_of(key)), |next| {
                found.extend(next.index().map(|Index(next)| key_of(next)));
                ControlFlow::Continue(())
            });
        }
        Ok(vec![(0, found)])
    };
    let first = match game.result(start) {
        Some(_) => None,
        None => Some(key_of_position(game, ByIndex, start)?),
    };
    gather_alone(&find, first, (job, BATCH), most)
}

/// Solves the positions with these keys, which are sorted, and those before the game.
pub(super) fn backwards<G: Predecessors>(
    game: &G,
    mut keys: Vec<u64>,
    job: &mut Job<'_>,
) -> Result<NumberedScores, SolveError> {
    let pool = job.pool()?;
    let first_before = first_before(game);
    let mut before: Vec<u64> =
        keys.extract_if(.., |key| code_of(*key) >= first_before).map(code_of).collect();
    before.sort_unstable();
    let reachable = ReachableGame::new(game, keys, before);
    let held = reachable.index_count() as u64 * BYTES_A_KEY;
    let solver = Retrograde::with(&reachable, Capabilities::default().predecessors());
    let mut scores = solve_with_held_memory(held, &solver, job)?;
    let ReachableGame { mut main, before, .. } = reachable;
    let scores_before: Vec<u16> = (main.keys.len()..scores.len()).map(|at| scores.wide(at)).collect();
    scores.truncate(main.keys.len());
    main.scores = scores;
    job.progress.stage("sorting positions", 0);
    let numbers =
        |scored: &[(u64, u16)]| Ok(scored.iter().map(|&(key, score)| (code_of(key), score)).collect());
    let mut all = NumberedScores::of(vec![main], &numbers, &pool, job.memory)?;
    // These have the greatest indices.
    all.add(NumberedScores::of_pairs(before.into_iter().zip(scores_before).collect(), true));
    Ok(all)
}

/// Solves a game while `held` bytes of the memory are in use.
pub(super) fn solve_with_held_memory<G: Dense>(
    held: u64,
    solver: &Retrograde<'_, G>,
    job: &mut Job<'_>,
) -> Result<Scores, SolveError> {
    let mut inner = Job {
        threads: job.threads,
        memory: job.memory.saturating_sub(held),
        horizon: None,
        progress: job.progress,
        checkpoint: &mut *job.checkpoint,
    };
    solver.solve(&mut inner).map_err(|error| match error {
        SolveError::Memory { need, .. } => SolveError::Memory { need: need + held, limit: job.memory },
        error => error,
    })
}
