//! Solves games that cannot repeat in one pass, layer by layer, each position after its successors.
//!
//! The ranges of a layer are solved in parallel, each from its end, and all threads meet between layers. Each
//! position takes one byte and one listing of its successors.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

use retrograde_game::{Index, Layered, Score, broken_promise};

use crate::array::{ScoreArray, narrow_then_wide};
use crate::job::{Job, Progress, SavedState, Scores, SolveError};
use crate::position::{score_of_end, walk_with_gaps};
use crate::prelude::before_the_game;
use crate::threads::Pool;
use crate::widths::Width;

/// Solves a game that cannot repeat. Ignores `job.horizon`, since all turns are known after one pass.
///
/// # Errors
/// If it does not fit into memory, is stopped, a game takes more than 32,765 turns, or the checkpoint fails.
pub fn solve<G: Layered>(game: &G, job: &mut Job<'_>) -> Result<Scores, SolveError> {
    narrow_then_wide(game.index_count(), job, &mut |job, width, saved| pass(game, job, width, saved))
}

/// Returns `None` if a game is too long for scores of this width.
fn pass<G: Layered>(
    game: &G,
    job: &mut Job<'_>,
    width: Width,
    saved: Option<SavedState>,
) -> Result<Option<Scores>, SolveError> {
    let count = job.room(game.index_count(), 8 * width.bytes() as u128)?;
    let main = count as u64 - game.prelude();
    let pool = job.pool()?;
    let resumed = saved.and_then(|saved| {
        Some((usize::try_from(saved.stage).ok()?, ScoreArray::from_bytes(width, saved.bytes, count)?))
    });
    let (first, mut scores) = match resumed {
        Some(resumed) => resumed,
        None => (0, ScoreArray::new(&pool, width, count, u16::UNKNOWN)?),
    };
    let progress = job.progress;
    progress.stage("solving, layer by layer", main);
    for layer in 0..game.layer_count() {
        let ranges = game.layer(layer);
        if layer < first {
            progress.advance(ranges.iter().map(|range| range.end.0 - range.start.0).sum());
            continue;
        }
        match solve_ranges(game, &scores, &ranges, (&pool, progress)) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(stopped) => {
                // This layer is solved again in the next run.
                if layer > first {
                    job.checkpoint.save(layer as u64, &[&scores.bytes()])?;
                }
                return Err(stopped);
            }
        }
        if job.checkpoint.due() {
            job.checkpoint.save(layer as u64 + 1, &[&scores.bytes()])?;
        }
    }
    let solved = before_the_game(game, &scores, main, (&pool, progress))?;
    Ok(solved.then(|| scores.into_scores()))
}

/// Solves ranges of one layer, when all earlier layers are solved. Returns `false` if a game is too long for
/// scores of this width.
///
/// # Errors
/// [`SolveError::Stopped`].
pub(crate) fn solve_ranges<G: Layered>(
    game: &G,
    scores: &ScoreArray,
    ranges: &[Range<Index>],
    (pool, progress): (&Pool, &dyn Progress),
) -> Result<bool, SolveError> {
    let (too_long, stopped) = (AtomicBool::new(false), AtomicBool::new(false));
    pool.each(ranges.len(), &|number| {
        for part in parts(&ranges[number]) {
            if too_long.load(Ordering::Relaxed) || stopped.load(Ordering::Relaxed) {
                return;
            }
            if progress.stopped() {
                stopped.store(true, Ordering::Relaxed);
                return;
            }
            if solve_part(game, scores, &part).is_break() {
                return too_long.store(true, Ordering::Relaxed);
            }
            progress.advance(part.end - part.start);
        }
    });
    match (too_long.into_inner(), stopped.into_inner()) {
        (true, _) => Ok(false),
        (false, true) => Err(SolveError::Stopped),
        (false, false) => Ok(true),
    }
}

/// Solves a part of a range from its end. Breaks if a game is too long for scores of this width.
fn solve_part<G: Layered>(game: &G, scores: &ScoreArray, part: &Range<u64>) -> ControlFlow<()> {
    walk_with_gaps(game, part.clone(), scores.setter(u16::NONE), |index, position| {
        let smallest = scores.smallest(game, &position);
        let score = smallest.map_or_else(|| Some(score_of_end(game, &position)), Score::before_turn);
        if score.is_some_and(|score| scores.try_set(index, score)) {
            return ControlFlow::Continue(());
        }
        require_solved(game, &position, smallest);
        ControlFlow::Break(())
    })
}

/// Panics if the successors of a position are not solved yet: then the layers are in the wrong order.
#[cold]
fn require_solved<G: Layered>(game: &G, position: &G::Position, smallest: Option<u16>) {
    if smallest == Some(u16::UNKNOWN) {
        broken_promise(format!(
            "{} leads to positions that are solved after it (`Layered::layer`)",
            game.position_text(position)
        ));
    }
}

/// Splits a range into parts, starting from its end. The solve can stop between them.
fn parts(range: &Range<Index>) -> impl Iterator<Item = Range<u64>> {
    const PART: u64 = 1 << 16;
    let (start, end) = (range.start.0, range.end.0.max(range.start.0));
    (0..(end - start).div_ceil(PART)).map(move |n| {
        let end = end - n * PART;
        start.max(end.saturating_sub(PART))..end
    })
}
