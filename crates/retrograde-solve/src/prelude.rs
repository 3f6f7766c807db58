//! Solves the positions before the game proper, after all others.

use std::ops::{ControlFlow, Range};

use retrograde_game::{Dense, Index, Score};

use crate::array::ScoreArray;
use crate::job::{Progress, SolveError};
use crate::position::score_before;
use crate::threads::Pool;

/// The number of positions that a thread takes at a time.
const PIECE: usize = 1 << 8;

/// Solves the indices from `main` on. Returns `false` if a game is too long for scores of this width.
pub(crate) fn before_the_game<G: Dense>(
    game: &G,
    scores: &ScoreArray,
    main: u64,
    threads: (&Pool, &dyn Progress),
) -> Result<bool, SolveError> {
    let solved = each_prelude_index(main..scores.len() as u64, threads, &|index, solved| {
        let Some(score) = value(game, scores, Index(index), solved) else { return Ok(false) };
        match score.is_some_and(|score| scores.try_set(index, score)) {
            true => Ok(true),
            false => Err(SolveError::TooDeep),
        }
    });
    match solved {
        Err(SolveError::TooDeep) => Ok(false),
        solved => solved.map(|()| true),
    }
}

/// Examines these indices, of positions before the game proper. `examine` takes an index and the number of
/// indices that are done, and returns `false` if turns lead to others.
///
/// Most of these positions lead straight into the game and are examined in parallel. The few others have
/// turns to positions before the game; they follow in ascending order.
pub(crate) fn each_prelude_index(
    indices: Range<u64>,
    (pool, progress): (&Pool, &dyn Progress),
    examine: &(dyn Fn(u64, u64) -> Result<bool, SolveError> + Sync),
) -> Result<(), SolveError> {
    let examine =
        |index, done| if progress.stopped() { Err(SolveError::Stopped) } else { examine(index, done) };
    let firsts: Vec<u64> = indices.clone().step_by(PIECE).collect();
    let rest = pool.results(firsts.len(), &|number| {
        let mut rest = Vec::new();
        for index in firsts[number]..indices.end.min(firsts[number] + PIECE as u64) {
            if !examine(index, indices.start)? {
                rest.push(index);
            }
        }
        Ok::<_, SolveError>(rest)
    })?;
    rest.into_iter().flatten().try_for_each(|index| examine(index, index).map(drop))
}

/// The score of a position from its successors, if all are below `solved`; `Some(None)` if the game is too
/// long for scores of this width.
fn value<G: Dense>(game: &G, scores: &ScoreArray, index: Index, solved: u64) -> Option<Option<u16>> {
    let Some(position) = game.position(index) else { return Some(Some(u16::NONE)) };
    let (mut least, mut undecided) = (None, false);
    let complete = game.each_successor_at(index, |next| {
        if next.index().is_some_and(|Index(next)| next >= solved) {
            return ControlFlow::Break(());
        }
        let score = scores.seen(next);
        undecided |= score.value().is_none();
        least = Some(least.map_or(score, |least: u16| least.min(score)));
        ControlFlow::Continue(())
    });
    complete.is_continue().then(|| score_before(game, &position, least, undecided))
}
