//! Finds the scores of many positions at once, implausible ones included (see `values`).
//!
//! Positions with consecutive numbers share blocks. Searching their turns one by one would make the
//! same pushes again and again; here each block is visited once.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};

use parking_lot::Mutex;
use retrograde_game::{Dense, Index, Score, Turns, Value};
use retrograde_pushfight::PushFight;
use retrograde_solve::SolveError;

use crate::config::SolveConfig;
use crate::derive::values::{KnownValues, derive_values};
use crate::files::log::Log;
use crate::files::solution_info::SolutionInfo;
use crate::files::work_folder::{SCORES, clear};
use crate::layout::by_mover::image;
use crate::layout::location::{Location, image_location, positions};
use crate::layout::numbering::Layout;
use crate::layout::scope::Scope;
use crate::layout::sparse::{Plane, SparseCells, subtract_plane};
use crate::layout::superblocks::by_superblock;
use crate::parallel::{for_each_parallel, try_for_each};
use crate::phase::engine::Engine;
use crate::phase::kinds::{PhaseId, value_in};
use crate::solution::Solution;
use crate::solve::steps::run_phase;

/// Indices that a thread handles in one task.
const INDICES_PER_TASK: u64 = 1 << 16;

impl Solution {
    /// Finds the scores of all positions with indices in a range, which must not include positions before
    /// the first push. Positions that no phase decided are drawn, or unknown if the solution has a horizon.
    /// `directory` contains the solution. If it has no logs of the solve, work files are written into a
    /// folder there and removed at the end.
    ///
    /// # Errors
    /// If it is stopped, or a file cannot be read or written.
    pub fn scores(
        &self,
        game: &PushFight,
        directory: &Path,
        config: &SolveConfig<'_>,
        indices: Range<u64>,
    ) -> Result<Vec<u8>, SolveError> {
        let work = directory.join(SCORES);
        let log = self.logs(game, directory, &work, config)?;
        let scores = found(game, &log, config, self.info(), indices)?;
        clear(&work, &*config.storage)?;
        Ok(scores)
    }
}

fn found(
    game: &PushFight,
    log: &Log,
    config: &SolveConfig<'_>,
    info: &SolutionInfo,
    indices: Range<u64>,
) -> Result<Vec<u8>, SolveError> {
    let mut target = Engine::of_board(game, Scope::All, config.threads)?;
    if u128::from(indices.end - indices.start) < game.index_count() - u128::from(game.prelude()) {
        target.restriction = Some(requested_positions(game, &target.layout, config, indices.clone())?);
    }
    // Most positions are won in 1, so they all begin with this score.
    let scores = SharedScores::new(game, indices, score(value_in(Turns(1)))?);
    let undecided = if info.horizon.is_some() { u8::UNKNOWN } else { u8::DRAW };
    let values = &mut KnownValues::new(game, log, config, info)?;
    derive_values(&mut target, values, &mut |engine, id, phase| {
        let (plane, _) = run_phase(engine, config.progress, id, phase)?;
        let write = |plane: &Plane, score| scores.write(&engine.layout, plane, score, config.threads);
        match id {
            PhaseId::Turns(turns) => write(&plane, score(value_in(turns))?),
            PhaseId::WonByNoPush => {}
            PhaseId::Draws => {
                let mut draws = engine.undecided.clone();
                subtract_plane(&mut draws, &plane, config.threads);
                write(&draws, undecided);
            }
        }
        Ok(plane)
    })?;
    Ok(scores.scores.into_iter().map(AtomicU8::into_inner).collect())
}

fn score(value: Value) -> Result<u8, SolveError> {
    u8::from_value(value).ok_or(SolveError::TooDeep)
}

/// The positions of a range of indices.
fn requested_positions(
    game: &PushFight,
    layout: &Layout,
    config: &SolveConfig<'_>,
    indices: Range<u64>,
) -> Result<Plane, SolveError> {
    let pieces = indices.end.saturating_sub(indices.start).div_ceil(INDICES_PER_TASK);
    let found: Vec<Mutex<Vec<_>>> = layout.superblocks.iter().map(|_| Mutex::default()).collect();
    let act = |piece: u64| {
        let from = indices.start + piece * INDICES_PER_TASK;
        let mut spots: Vec<Location> = (from..indices.end.min(from + INDICES_PER_TASK))
            .filter_map(|index| {
                let position = game.position(Index(index))?;
                let (anchor, symmetry) = layout.symmetries.canonical_anchor(position.anchor.first()?);
                image_location(layout, symmetry, anchor, &position)
            })
            .collect();
        spots.sort_unstable();
        for spots in spots.chunk_by(|one, other| one.superblock == other.superblock) {
            let positions = spots.iter().map(|spot| (spot.cell as u32, spot.row, spot.bit));
            found[spots[0].superblock].lock().extend(positions);
        }
        Ok(())
    };
    config.progress.stage("positions asked for", pieces);
    try_for_each(config.threads, (0..pieces).collect(), config.progress, act)?;
    let cells =
        |positions: Mutex<Vec<_>>| SparseCells::of_positions(layout.cell_shape(), &positions.into_inner());
    Ok(found.into_iter().map(cells).collect())
}

/// The scores of consecutive indices, which several threads write.
struct SharedScores<'a> {
    game: &'a PushFight,
    first: u64,
    scores: Vec<AtomicU8>,
}

impl<'a> SharedScores<'a> {
    /// The same score for all indices.
    fn new(game: &'a PushFight, indices: Range<u64>, score: u8) -> SharedScores<'a> {
        let count = usize::try_from(indices.end - indices.start).unwrap_or(usize::MAX);
        // Collected in place: an atomic byte is a byte.
        let scores = vec![score; count].into_iter().map(AtomicU8::new).collect();
        SharedScores { game, first: indices.start, scores }
    }

    /// Writes the score of a plane's positions and of their images.
    fn write(&self, layout: &Layout, plane: &[SparseCells], score: u8, threads: usize) {
        for_each_parallel(threads, by_superblock(plane).collect(), |(superblock, cells)| {
            positions(layout, superblock, cells, |position| {
                // Before the first push it matters whose half is whose.
                let images = if position.anchor.is_empty() { 1 } else { layout.symmetries.count() };
                for symmetry in 0..images {
                    let image = image(layout, symmetry, &position);
                    let at = self.game.index(&image).and_then(|index| index.0.checked_sub(self.first));
                    if let Some(stored) = at.and_then(|at| self.scores.get(at as usize)) {
                        stored.store(score, Ordering::Relaxed);
                    }
                }
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use retrograde_game::Knowledge;
    use retrograde_solve::Silent;

    use super::*;
    use crate::run::Retention;
    use crate::testing::{config, game, write_solution};

    #[test]
    fn scores_agree_with_searched_values() {
        let mut all_draws = 0;
        for (name, wins) in [
            ("pushfight:mini,pushers=2,pawns=1", false),
            ("pushfight:mini,pushers=1,pawns=2,moves=1", true),
            ("pushfight:mini,pushers=2,pawns=2,moves=0", true),
            ("pushfight:x.board,pushers=2,pawns=1,moves=3", false),
        ] {
            let game = game(name);
            let directory = retrograde_testkit::tempdir().unwrap();
            let path = directory.path();
            write_solution(&game, path, Retention { logs: !wins, wins });
            let solution = Solution::open(&game, path).unwrap().unwrap();
            let before = std::fs::read_dir(path).unwrap().count();
            let count = game.index_count() as u64 - game.prelude();
            let mut draws = 0;
            for range in [count / 3..count / 3 + 500, count - 77..count, 5..6, 9..9] {
                let scores = solution.scores(&game, path, &config(&Silent), range.clone()).unwrap();
                for (index, score) in range.zip(scores) {
                    let Some(position) = game.position(Index(index)) else { continue };
                    let expected = solution.value(&game, &position).unwrap().unwrap();
                    let found = score.value().unwrap();
                    assert_eq!(Knowledge::Exact(found), expected, "{name}, {index}");
                    draws += u32::from(found == Value::Draw);
                }
            }
            all_draws += draws;
            assert_eq!(std::fs::read_dir(path).unwrap().count(), before);
        }
        assert!(all_draws > 0);
    }
}
