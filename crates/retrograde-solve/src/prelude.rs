//! Solves the positions before the game proper, after all others.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use retrograde_game::{Dense, Index};

use crate::array::{ScoreArray, SharedScore};
use crate::job::{Job, Progress, Scores, SolveError};
use crate::position::score_before;
use crate::threads::Pool;

/// The number of positions that a thread takes at a time.
const PIECE: usize = 1 << 8;

/// Completes the scores of a game proper, whatever solver found them, with the positions before it: the last
/// [`Dense::prelude`] indices. The first `known` of these are solved already; the scores of the others are
/// ignored.
///
/// # Errors
/// If it is stopped, or a game takes more turns than a byte can express.
pub fn solve_prelude<G: Dense>(
    game: &G,
    scores: Vec<u8>,
    known: u64,
    job: &Job<'_>,
) -> Result<Scores, SolveError> {
    let main = (scores.len() as u64).saturating_sub(game.prelude()) + known;
    let scores = ScoreArray::<u8>::from_scores(scores);
    let solved = before_the_game(game, &scores, main, (&job.pool()?, job.progress))?;
    if solved { Ok(scores.into_scores()) } else { Err(SolveError::TooDeep) }
}

/// Solves the indices from `main` on. Returns `false` if a game is too long for this score size.
///
/// Most of these positions lead straight into the game and are solved in parallel. The few others have turns
/// to positions before the game; they follow in ascending order.
pub(crate) fn before_the_game<G: Dense, S: SharedScore>(
    game: &G,
    scores: &ScoreArray<S>,
    main: u64,
    (pool, progress): (&Pool, &dyn Progress),
) -> Result<bool, SolveError> {
    let too_long = AtomicBool::new(false);
    let solve = |index: u64, solved: u64| {
        if too_long.load(Ordering::Relaxed) || progress.stopped() {
            return false;
        }
        match value(game, scores, Index(index), solved) {
            None => return false,
            Some(None) => too_long.store(true, Ordering::Relaxed),
            Some(Some(score)) => scores.set(index, score),
        }
        true
    };
    let count = scores.len() as u64;
    let firsts: Vec<u64> = (main..count).step_by(PIECE).collect();
    let rest = pool.results(firsts.len(), &|number| {
        let last = count.min(firsts[number] + PIECE as u64);
        let rest: Vec<u64> = (firsts[number]..last).filter(|&index| !solve(index, main)).collect();
        Ok::<_, SolveError>(rest)
    })?;
    for index in rest.into_iter().flatten() {
        solve(index, index);
    }
    if progress.stopped() {
        return Err(SolveError::Stopped);
    }
    Ok(!too_long.into_inner())
}

/// The score of a position from its successors, if all are below `solved`; `Some(None)` if the game is too
/// long for this score size.
fn value<G: Dense, S: SharedScore>(
    game: &G,
    scores: &ScoreArray<S>,
    index: Index,
    solved: u64,
) -> Option<Option<S>> {
    let Some(position) = game.position(index) else { return Some(Some(S::NONE)) };
    let (mut least, mut undecided) = (None, false);
    let complete = game.each_successor_at(index, |next| {
        if next.index().is_some_and(|Index(next)| next >= solved) {
            return ControlFlow::Break(());
        }
        let score = scores.seen(next);
        undecided |= score.value().is_none();
        least = Some(least.map_or(score, |least: S| least.min(score)));
        ControlFlow::Continue(())
    });
    complete.is_continue().then(|| score_before(game, &position, least, undecided))
}
