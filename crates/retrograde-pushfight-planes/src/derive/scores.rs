//! Finds the scores of all positions after the first push together, implausible ones included (see
//! `values`): one byte each, by index.

use std::path::Path;

use retrograde_game::{Dense, Score, Turns};
use retrograde_pushfight::PushFight;
use retrograde_solve::SolveError;

use crate::config::SolveConfig;
use crate::derive::values::{KnownValues, derive_positions};
use crate::files::log::Log;
use crate::files::solution_info::SolutionInfo;
use crate::files::work_folder::{BULK_VALUES, clear};
use crate::layout::numbering::with_words;
use crate::layout::scope::Scope;
use crate::phase::engine::Engine;
use crate::phase::kinds::{PhaseId, value_in};
use crate::solution::open::Solution;
use crate::solve::scores::{SharedScores, score};

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
        let found = with_words!(self.losses().layout(), W => found::<W>);
        let scores = found(game, &log, config, self.info())?;
        clear(&work, &*config.storage)?;
        Ok(scores)
    }
}

fn found<const W: usize>(
    game: &PushFight,
    log: &Log,
    config: &SolveConfig<'_>,
    info: &SolutionInfo,
) -> Result<Vec<u8>, SolveError> {
    let mut target = Engine::<W>::of_board(game, Scope::All, config.threads)?;
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
