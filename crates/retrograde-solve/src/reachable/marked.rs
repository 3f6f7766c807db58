//! Reachable positions of games that can repeat, by the game's own dense numbering. If a large share of the
//! indices is reachable, a bit per index marks them, and solving all indices is faster than numbering and
//! looking up the reachable ones.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering};

use retrograde_game::{Dense, Game, Index, Predecessors};

use super::coding::{ByImages, code_of, key_of};
use super::layer::BYTES_A_KEY;
use super::repeating::{backwards, gather, solve_with_held_memory};
use super::repeating_share::GatheredShare;
use super::scores::ReachableScores;
use super::tasks::{TASK, sort};
use crate::job::{Job, Scores, SolveError};
use crate::retrograde::capabilities::EachImageIndex;
use crate::retrograde::places::PlaceSet;
use crate::retrograde::{Capabilities, Retrograde};

/// If fewer than one in this many indices occurs, keys take less memory than marks.
const SPARSE: u128 = 64;
/// If at least one in this many indices occurs, all indices are solved.
const DENSE: u128 = 4;
/// The number of indices that a thread takes at a time.
const RANGE: u64 = 1 << 16;

/// Solves the positions reachable from `start` in a game with a dense numbering and predecessors. `able`
/// lists what else the solver can use. Loops are draws. Ignores `job.horizon`.
///
/// # Errors
/// If the positions do not fit into memory, a game takes too long, it is stopped, or the start has no index.
pub fn solve_repeating_numbered<G: Predecessors>(
    game: &G,
    start: &G::Position,
    able: Capabilities<G>,
    job: &mut Job<'_>,
) -> Result<ReachableScores, SolveError> {
    let few = u64::try_from(game.index_count() / SPARSE).unwrap_or(u64::MAX);
    // If this is so low, start with marks instead of keys.
    let few = if few > TASK as u64 { few } else { 0 };
    let pool = job.pool()?;
    let (gathered, whole) = gather(game, start, job, few)?;
    let keys = if whole {
        gathered.all.into_sorted(&pool)
    } else {
        let marks = Marks::gather(game, start, gathered, able, job, &pool)?;
        if u128::from(marks.count()) * DENSE >= game.index_count() {
            let able = able.predecessors();
            return marks.solve(game, able, job).map(ReachableScores::Marked);
        }
        marks.into_keys(job, &pool)?
    };
    backwards(game, keys, job).map(ReachableScores::Listed)
}

/// A mark per reachable index.
struct Marks {
    reachable: PlaceSet,
    indices: u64,
}

impl Marks {
    /// Marks all reachable positions, starting with the ones gathered as keys.
    fn gather<G: Dense>(
        game: &G,
        start: &G::Position,
        gathered: GatheredShare,
        able: Capabilities<G>,
        job: &Job<'_>,
        pool: &crate::Pool,
    ) -> Result<Marks, SolveError> {
        // One bit for reachable positions, and one for positions not yet expanded.
        let indices = job.room(game.index_count(), 2)?;
        let marks = Marks { reachable: PlaceSet::new(indices)?, indices: indices as u64 };
        let left = PlaceSet::new(indices)?;
        let images = ByImages::of_all(game, start, able);
        let marking =
            Marking { game, images: images.map(ByImages::each_image_index), marks: &marks, left: &left };
        gathered.all.keys().for_each(|key| {
            marks.reachable.insert(code_of(key));
        });
        gathered.new.iter().for_each(|&key| {
            left.insert(code_of(key));
        });
        drop(gathered);
        // Turns often lead to lower indices, so start with the highest.
        let ranges = marks.indices.div_ceil(RANGE);
        loop {
            let new = AtomicU64::new(0);
            pool.results(ranges as usize, &|number| {
                if job.progress.stopped() {
                    return Err(SolveError::Stopped);
                }
                let range = ranges - 1 - number as u64;
                let end = marks.indices.min((range + 1) * RANGE);
                let here = marking.go_on(range * RANGE..end);
                if here > 0 {
                    new.fetch_add(here, Ordering::Relaxed);
                    job.progress.advance(here);
                }
                Ok(())
            })?;
            if new.into_inner() == 0 {
                return Ok(marks);
            }
        }
    }

    /// The number of reachable indices.
    fn count(&self) -> u64 {
        self.reachable.count()
    }

    /// Converts the marks to sorted keys.
    fn into_keys(self, job: &Job<'_>, pool: &crate::Pool) -> Result<Vec<u64>, SolveError> {
        let need = self.indices / 8 + self.count() * BYTES_A_KEY;
        if need > job.memory {
            return Err(SolveError::Memory { need, limit: job.memory });
        }
        let mut keys: Vec<u64> = self.reachable.places(0..self.indices).map(key_of).collect();
        drop(self);
        sort(pool, &mut keys);
        Ok(keys)
    }

    /// Solves all indices and keeps the scores of reachable indices.
    fn solve<G: Dense>(
        self,
        game: &G,
        able: Capabilities<G>,
        job: &mut Job<'_>,
    ) -> Result<MarkedScores, SolveError> {
        let held = self.indices.div_ceil(8);
        let scores = solve_with_held_memory(held, &Retrograde::with(game, able), job)?;
        Ok(MarkedScores { marks: self, scores })
    }
}

/// Expands positions and marks their successors.
struct Marking<'a, G: Game> {
    game: &'a G,
    /// Visits images, if all images of reachable positions are reachable: then only one of them is expanded.
    images: Option<EachImageIndex<G>>,
    marks: &'a Marks,
    /// The indices of positions not yet expanded.
    left: &'a PlaceSet,
}

impl<G: Dense> Marking<'_, G> {
    /// Expands all remaining positions of a range, including new ones. Returns their number.
    fn go_on(&self, range: Range<u64>) -> u64 {
        let mut count = 0;
        self.left.drain_downward(range, |index| {
            count += 1;
            let _ = self.game.each_successor_at(Index(index), |next| {
                if let Some(Index(next)) = next.index() {
                    self.mark(next);
                }
                ControlFlow::Continue(())
            });
        });
        count
    }

    #[inline]
    fn mark(&self, index: u64) {
        let reachable = &self.marks.reachable;
        if reachable.contains(index) || !reachable.insert(index) {
            return;
        }
        if let Some(each_image) = self.images
            && let Some(position) = self.game.position(Index(index))
        {
            each_image(self.game, &position, &mut |image| {
                reachable.insert(image);
                ControlFlow::Continue(())
            });
        }
        self.left.insert(index);
    }
}

/// The scores of all indices of a numbering. Some of them are reachable.
pub struct MarkedScores {
    marks: Marks,
    scores: Scores,
}

impl MarkedScores {
    /// The score of an index, if it occurs.
    pub(super) fn score(&self, index: u64) -> Option<u16> {
        (index < self.marks.indices && self.marks.reachable.contains(index))
            .then(|| self.scores.wide(index as usize))
    }

    /// Reachable indices and their scores, in the order of the indices.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, u16)> + '_ {
        let indices = self.marks.reachable.places(0..self.marks.indices);
        indices.map(|index| (index, self.scores.wide(index as usize)))
    }
}
