//! Samples positions of a game for estimates: the share that is open when a solve begins, and the
//! time to list turns, predecessors and images on this machine.
//!
//! Positions are taken in short, evenly spread runs of neighbouring indices, since solvers visit
//! them in order. Each is visited three times. The first visit fills the caches and does not count; of
//! the others the quicker one does, since another program may have interrupted the slower one. A
//! sample takes a few hundredths of a second.

use std::ops::{ControlFlow, Range};
use std::time::Duration;

use retrograde_game::{Dense, Game, Index, Predecessors, Staged, Symmetries, numbers};
use retrograde_solve::clock::Instant;

/// The number of runs of neighbouring indices.
const RUNS: u64 = 96;
/// The number of indices in a run.
const RUN: u64 = 16;
/// The approximate maximum time for one look at the sample.
const MAX_TIME: Duration = Duration::from_millis(20);

/// Figures of a game from a sample. Shares and times are per index, whether or not it has a
/// position.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Sample {
    /// The share of indices that are positions which neither are over nor win in one turn.
    pub open: f64,
    /// Turns to unfinished positions.
    pub turns: f64,
    /// Seconds to make the position from its neighbour and to see whether it is over.
    pub look: f64,
    /// Seconds to make the position from its index and to list its successors.
    pub successors: f64,
    /// Seconds to make the position from its neighbour and to list its successors.
    pub in_order: f64,
    /// Seconds to list its predecessors, if the game gives them.
    pub predecessors: Option<f64>,
    /// Its symmetries, if it has any.
    pub images: Option<ImageSample>,
}

/// Figures of the symmetries of a game from a sample.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ImageSample {
    /// The share of positions that are representatives of their orbit.
    pub orbits: f64,
    /// Seconds to find all images of a position.
    pub seconds: f64,
}

/// The sampled indices below `count`, run by run; all of them if there are few.
fn runs(count: u64) -> impl Iterator<Item = Range<u64>> + Clone {
    let runs = RUNS.min(count.div_ceil(RUN));
    // Few indices are split into runs; otherwise the last run ends with the last index.
    let last = if count <= RUNS * RUN { runs.saturating_sub(1) * RUN } else { count - RUN };
    (0..runs).map(move |run| {
        let start = (u128::from(last) * u128::from(run) / u128::from((runs - 1).max(1))) as u64;
        start..count.min(start + RUN)
    })
}

/// The sampled indices below `count`.
fn indices(count: u64) -> impl Iterator<Item = u64> + Clone {
    runs(count).flatten()
}

/// The seconds per sampled index that a function takes. It receives one run at a time.
fn seconds_each(count: u64, mut look: impl FnMut(Range<Index>)) -> f64 {
    let mut pass = || {
        let (began, mut looks) = (Instant::now(), 0_u64);
        for run in runs(count) {
            looks += run.end - run.start;
            look(Index(run.start)..Index(run.end));
            if began.elapsed() > MAX_TIME {
                break;
            }
        }
        began.elapsed().as_secs_f64() / looks.max(1) as f64
    };
    pass();
    pass().min(pass())
}

/// The seconds per sampled position that a function takes, visiting positions like a solver.
fn seconds_each_position<G: Dense>(game: &G, count: u64, mut look: impl FnMut(&G::Position)) -> f64 {
    seconds_each(count, |run| {
        let _ = game.walk_down(run, |_, position| {
            look(&position);
            ControlFlow::Continue(())
        });
    })
}

/// The indices of the game proper.
fn main_indices<G: Dense>(game: &G) -> Option<u64> {
    u64::try_from(game.index_count()).ok()?.checked_sub(game.prelude()).filter(|&count| count > 0)
}

/// Whether a position is open after the first look of a solver.
fn is_open<G: Game>(game: &G, position: &G::Position) -> bool {
    game.result(position).is_none() && !game.wins_now(position)
}

/// Samples the turns of a game. Returns `None` if it has no indices, or too many to count.
pub(crate) fn sample<G: Dense>(game: &G) -> Option<Sample> {
    let count = main_indices(game)?;
    let (mut sampled, mut open, mut turns) = (0_u32, 0_u32, 0_u64);
    for index in indices(count) {
        sampled += 1;
        open += u32::from(game.position(Index(index)).is_some_and(|position| is_open(game, &position)));
        let _ = game.each_successor_at(Index(index), |next| {
            turns += u64::from(next.index().is_some());
            ControlFlow::Continue(())
        });
    }
    let mut seen = 0_u64;
    let look = seconds_each_position(game, count, |position| seen += u64::from(is_open(game, position)));
    let mut count_one = |_| {
        seen += 1;
        ControlFlow::Continue(())
    };
    let successors = seconds_each(count, |run| {
        let visit = |index| _ = game.each_successor_at(Index(index), &mut count_one);
        numbers(run).for_each(visit);
    });
    let in_order = seconds_each_position(game, count, |position| {
        let _ = game.each_numbered_successor(position, &mut count_one);
    });
    std::hint::black_box(seen);
    let share = |number: f64| number / f64::from(sampled.max(1));
    let (open, turns) = (share(open.into()), share(turns as f64));
    Some(Sample { open, turns, look, successors, in_order, predecessors: None, images: None })
}

/// The seconds to list the predecessors of the position at an index, as indices.
pub(crate) fn sample_predecessors<G: Predecessors>(game: &G) -> Option<f64> {
    let mut seen = 0_u64;
    let seconds = seconds_each(main_indices(game)?, |run| {
        numbers(run).for_each(|index| game.each_predecessor_at(Index(index), |_| seen += 1));
    });
    std::hint::black_box(seen);
    Some(seconds)
}

/// Samples the symmetries of a game.
pub(crate) fn sample_images<G: Dense + Symmetries>(game: &G) -> Option<ImageSample> {
    let count = main_indices(game)?;
    let smallest = |index: Index, position: &G::Position| {
        let images = (1..game.symmetry_count()).filter_map(|n| game.index(&game.image(n, position)));
        images.fold(index, Index::min)
    };
    let (mut positions, mut orbits) = (0_u32, 0_u32);
    for index in indices(count) {
        if let Some(position) = game.position(Index(index)) {
            positions += 1;
            orbits += u32::from(smallest(Index(index), &position) == Index(index));
        }
    }
    let mut seen = 0;
    let seconds = seconds_each_position(game, count, |position| seen += smallest(Index(0), position).0);
    std::hint::black_box(seen);
    // Images have smaller and greater indices equally often only if the sample is spread evenly.
    Some(ImageSample { orbits: f64::from(orbits.max(1)) / f64::from(positions.max(1)), seconds })
}

/// The number of indices of the largest stage of a game.
pub(crate) fn largest_stage<G: Staged>(game: &G) -> u64 {
    let length = |stage| game.stage(stage).iter().map(|range| range.end.0 - range.start.0).sum();
    (0..game.stage_count()).map(length).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numberings_are_checked_fully_and_large_ones_are_sampled_from_end_to_end() {
        for count in [1, 2, 15, 16, 1535, 1536] {
            assert!(indices(count).eq(0..count), "{count}");
        }
        for count in [1537, 5000, 1 << 40, u64::MAX] {
            let taken: Vec<u64> = indices(count).collect();
            assert_eq!(taken.len() as u64, RUNS * RUN);
            assert_eq!((taken[0], taken[taken.len() - 1]), (0, count - 1));
            assert!(taken.windows(2).all(|pair| pair[1] > pair[0] || pair[0] - pair[1] < RUN), "{count}");
        }
    }
}
