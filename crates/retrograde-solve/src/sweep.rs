//! The classic fixed-point iteration: examine all undecided positions again and again until nothing changes.
//! It is slow and simple; all other solvers are compared with it.
//!
//! Pass t decides exactly the positions that end in t turns, because a pass only uses what earlier passes
//! have decided.

use std::ops::ControlFlow;

use retrograde_game::{Dense, Index, Outcome, Score, Successor, Turns, Value};

use crate::job::{Job, Scores, SolveError};
use crate::memory;

fn known(scores: &[u16], next: Successor) -> Option<Value> {
    match next {
        Successor::Terminal(outcome) => Some(Value::over(outcome)),
        Successor::At(index) => scores[index.0 as usize].value(),
        Successor::Again(index) => scores[index.0 as usize].flipped().value(),
    }
}

/// Solves any game, slowly, with one thread and two bytes per position.
///
/// # Errors
/// If it does not fit into memory, is stopped, or a game takes more than 32,765 turns.
pub fn solve<G: Dense>(game: &G, job: &mut Job<'_>) -> Result<Scores, SolveError> {
    let count = job.room(game.index_count(), 2 * 8)?;
    let prelude = game.prelude() as usize;
    let mut scores = Vec::new();
    memory::reserve(&mut scores, count)?;
    scores.resize(count, u16::UNKNOWN);
    for (index, score) in scores.iter_mut().enumerate() {
        *score = match game.position(Index(index as u64)) {
            None => u16::NONE,
            Some(position) => match game.result(&position) {
                Some(outcome) => u16::from_value(Value::over(outcome)).ok_or(SolveError::TooDeep)?,
                None => u16::UNKNOWN,
            },
        };
    }
    for turns in 0.. {
        job.progress.stage("sweep", 0);
        if job.progress.stopped() {
            return Err(SolveError::Stopped);
        }
        let mut decided = Vec::new();
        let mut undecided = false;
        for index in 0..count - prelude {
            if scores[index] != u16::UNKNOWN {
                // Something that ends later keeps the iteration running.
                undecided |=
                    matches!(scores[index].value().and_then(Value::turns), Some(Turns(t)) if t >= turns);
                continue;
            }
            let (mut any, mut win, mut open) = (false, false, false);
            let mut longest = 0;
            let _ = game.each_successor_at(Index(index as u64), |next| {
                any = true;
                match known(&scores, next) {
                    Some(Value::Loss(Turns(t))) if t < turns => win = true,
                    Some(Value::Win(Turns(t))) if t < turns => longest = longest.max(t + 1),
                    _ => open = true,
                }
                ControlFlow::Continue(())
            });
            let value = match (any, win, open) {
                (false, _, _) if turns == 0 => Some(Value::over(game.outcome_without_turns())),
                (true, true, _) => Some(Value::Win(Turns(turns))),
                (true, false, false) => Some(Value::Loss(Turns(longest))),
                _ => None,
            };
            decided.extend(value.map(|value| (index, value)));
        }
        let nothing = decided.is_empty();
        for (index, value) in decided {
            scores[index] = u16::from_value(value).ok_or(SolveError::TooDeep)?;
        }
        if (nothing && !undecided && turns > 0) || job.horizon.is_some_and(|horizon| Turns(turns) >= horizon)
        {
            break;
        }
    }
    if job.horizon.is_none() {
        for score in &mut scores[..count - prelude] {
            if *score == u16::UNKNOWN {
                *score = u16::DRAW;
            }
        }
    }
    for index in count - prelude..count {
        if let Some(score) = score_before_game(game, &scores, Index(index as u64))? {
            scores[index] = score;
        }
    }
    Ok(Scores::packed(scores))
}

/// The score of a position before the game proper, from its successors; `None` if the index has no position.
fn score_before_game<G: Dense>(game: &G, scores: &[u16], index: Index) -> Result<Option<u16>, SolveError> {
    let Some(position) = game.position(index) else { return Ok(None) };
    let counted = game.turn_is_counted(&position);
    let (mut best, mut open) = (None, false);
    let _ = game.each_successor_at(index, |next| {
        match known(scores, next) {
            Some(value) => best = best.max(Some(value.before(counted))),
            None => open = true,
        }
        ControlFlow::Continue(())
    });
    let value = match best {
        Some(value) if value.outcome() == Outcome::Win || !open => value,
        None if !open => Value::over(game.outcome_without_turns()),
        _ => return Ok(Some(u16::UNKNOWN)),
    };
    u16::from_value(value).map(Some).ok_or(SolveError::TooDeep)
}
