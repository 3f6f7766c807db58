//! The positions before the game proper, after all others are solved.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use retrograde_game::{Dense, Index, Successor, Value};

use crate::array::{ScoreArray, SharedScore};
use crate::job::{Job, Progress, Scores, SolveError};
use crate::position::score_without_turns;
use crate::threads::Pool;

/// Positions that a thread takes at a time.
const PIECE: usize = 1 << 8;

/// Completes scores of a game proper, found in whatever way, by the positions before it: the last
/// [`Dense::prelude`] indices, whose scores may be anything but for the first of them, of which so
/// many are `known`.
///
/// # Errors
/// If it is stopped, or a game takes more turns than a byte can say.
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

/// Solves the indices from `main` on; `false` if a game is too long for this kind of score.
///
/// Most of a prelude leads straight into the game: those positions are solved side by side. The
/// rest has turns to positions of the prelude itself and is few; it follows in ascending order.
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

/// The score of a position from its successors, if all are below `solved`: `Some(None)` if the game
/// is too long for this kind of score.
fn value<G: Dense, S: SharedScore>(
    game: &G,
    scores: &ScoreArray<S>,
    index: Index,
    solved: u64,
) -> Option<Option<S>> {
    let Some(position) = game.position(index) else { return Some(Some(S::NONE)) };
    let counts = game.turn_is_counted(&position);
    let mut best: Option<Value> = None;
    let mut undecided = false;
    let complete = game.each_successor_at(index, |next| {
        let value = match next {
            Successor::Terminal(outcome) => Some(Value::over(outcome)),
            Successor::At(next) | Successor::Again(next) if next.0 >= solved => {
                return ControlFlow::Break(());
            }
            Successor::At(next) => scores.get(next.0).value(),
            Successor::Again(next) => scores.get(next.0).flipped().value(),
        };
        match value {
            None => undecided = true,
            Some(value) => best = best.max(Some(value.before(counts))),
        }
        ControlFlow::Continue(())
    });
    if complete.is_break() {
        return None;
    }
    Some(match best {
        // Successors are undecided only with a horizon, and then they end later than it: a win
        // stands, and nothing else does.
        Some(value @ Value::Win(_)) => S::from_value(value),
        _ if undecided => Some(S::UNKNOWN),
        Some(value) => S::from_value(value),
        None => Some(score_without_turns(game, index)),
    })
}
