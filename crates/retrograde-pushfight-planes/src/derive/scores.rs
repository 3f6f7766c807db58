//! Finds the scores of all positions after the first push together, implausible ones included (see
//! `values`): one byte each, by index.

use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};

use retrograde_game::{Dense, Score, Turns, Value};
use retrograde_pushfight::PushFight;
use retrograde_solve::SolveError;

use crate::config::SolveConfig;
use crate::derive::values::{KnownValues, derive_positions};
use crate::files::log::Log;
use crate::files::solution_info::SolutionInfo;
use crate::files::work_folder::{BULK_VALUES, clear};
use crate::layout::location::positions;
use crate::layout::numbering::Layout;
use crate::layout::scope::Scope;
use crate::layout::sparse::SparseCells;
use crate::layout::superblocks::by_superblock;
use crate::parallel::for_each_parallel;
use crate::phase::engine::Engine;
use crate::phase::kinds::{PhaseId, value_in};
use crate::solution::open::Solution;

impl Solution {
    /// Finds the scores of all positions after the first push, by index. Positions that no phase decided
    /// are drawn, or unknown if the solution has a horizon. Work files are handled as by
    /// [`Solution::bulk_values`].
    ///
    /// # Errors
    /// If it is stopped, or a file cannot be read or written.
    pub fn scores(
        &self,
        game: &PushFight,
        directory: &Path,
        config: &SolveConfig<'_>,
    ) -> Result<Vec<u8>, SolveError> {
        let work = directory.join(BULK_VALUES);
        let log = self.logs(game, directory, &work, config)?;
        let scores = found(game, &log, config, self.info())?;
        clear(&work, &*config.storage)?;
        Ok(scores)
    }
}

fn found(
    game: &PushFight,
    log: &Log,
    config: &SolveConfig<'_>,
    info: &SolutionInfo,
) -> Result<Vec<u8>, SolveError> {
    let mut target = Engine::of_board(game, Scope::All, config.threads)?;
    let count = usize::try_from(game.index_count()).unwrap_or(usize::MAX) - game.prelude() as usize;
    // Most positions are won in 1, so they all begin with this score.
    let scores = SharedScores::new(game, count, score(value_in(Turns(1)))?);
    let undecided = if info.horizon.is_some() { u8::UNKNOWN } else { u8::DRAW };
    let values = &mut KnownValues::new(game, log, config, info)?;
    derive_positions(&mut target, values, &mut |engine, id, plane| {
        let score = match id {
            PhaseId::Turns(turns) => score(value_in(turns))?,
            _ => undecided,
        };
        scores.write(&engine.layout, plane, score, config.threads);
        Ok(())
    })?;
    Ok(scores.into_bytes())
}

fn score(value: Value) -> Result<u8, SolveError> {
    u8::from_value(value).ok_or(SolveError::TooDeep)
}

/// The score of every position, by index, which several threads write.
struct SharedScores<'a> {
    game: &'a PushFight,
    scores: Vec<AtomicU8>,
}

impl<'a> SharedScores<'a> {
    /// The same score for the first `count` indices.
    fn new(game: &'a PushFight, count: usize, score: u8) -> SharedScores<'a> {
        // Collected in place: an atomic byte is a byte.
        SharedScores { game, scores: vec![score; count].into_iter().map(AtomicU8::new).collect() }
    }

    fn into_bytes(self) -> Vec<u8> {
        self.scores.into_iter().map(AtomicU8::into_inner).collect()
    }

    /// Writes the score of a plane's positions and of their images.
    fn write(&self, layout: &Layout, plane: &[SparseCells], score: u8, threads: usize) {
        for_each_parallel(threads, by_superblock(plane).collect(), |(superblock, cells)| {
            positions(layout, superblock, cells, |position| {
                // Before the first push it matters whose half is whose.
                let images = if position.anchor.is_empty() { 1 } else { layout.symmetries.count() };
                for symmetry in 0..images {
                    let image = position.map(|set| layout.symmetries.set_image(symmetry, set));
                    if let Some(index) = self.game.index(&image) {
                        self.scores[index.0 as usize].store(score, Ordering::Relaxed);
                    }
                }
            });
        });
    }
}
