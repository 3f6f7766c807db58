//! Counts implausible positions: those that no push can have led to.
//!
//! Nobody reaches them, so a solution leaves them out. Their values follow from those of the others
//! (see `values`). They are counted by turns, so that counts can cover all permutations of the
//! pieces, as the first complete solution of Push Fight counted them ("Solving Push Fight").
//!
//! Results are logged like the phases of a solve, in a work folder that goes when all is counted.
//! The counts are written to `others.json` beside the solution, with the checksum of the losses
//! that they follow from.

use std::io;
use std::path::Path;

use retrograde_game::{Game, Turns};
use retrograde_pushfight::PushFight;
use retrograde_solve::SolveError;

use crate::config::SolveConfig;
use crate::derive::values::{KnownValues, covers, derive_values};
use crate::files::implausible_counts::{FILE, ImplausiblePositions};
use crate::files::log::Log;
use crate::files::log_planes::log_of;
use crate::files::sidecar;
use crate::files::solution_info::SolutionInfo;
use crate::files::work_folder::{IMPLAUSIBLE, clear, make};
use crate::kernel::simd::SimdLevel;
use crate::layout::numbering::{Layout, with_words};
use crate::layout::scope::Scope;
use crate::layout::sparse::SparseCells;
use crate::layout::superblocks::by_superblock;
use crate::phase::count::{PhaseCount, count_phase};
use crate::phase::engine::Engine;
use crate::phase::kinds::PhaseId;
use crate::solution::open::Solution;
use crate::solve::steps::run_logged_phase;

impl Solution {
    /// The counts of implausible positions; `None` until they are counted.
    pub fn implausible(&self) -> Option<&ImplausiblePositions> {
        self.implausible.get()
    }

    /// Counts the positions that no push can have led to, unless that has been done, and writes the
    /// counts beside the solution in `directory`. It takes memory and time like a solve. Results
    /// are logged in a work folder, from which a later run continues; the folder is removed at the
    /// end.
    ///
    /// # Errors
    /// If it is stopped, or a file cannot be read or written.
    pub fn count_implausible(
        &self,
        game: &PushFight,
        directory: &Path,
        config: &SolveConfig<'_>,
    ) -> Result<&ImplausiblePositions, SolveError> {
        if let Some(implausible) = self.implausible.get() {
            // A run that died between the last file and this has left it.
            clear(&directory.join(IMPLAUSIBLE), &*config.storage)?;
            return Ok(implausible);
        }
        let work = directory.join(IMPLAUSIBLE);
        make(&work, &*config.storage)?;
        let log = self.logs(game, directory, &work, config)?;
        let own = log_of(game, &work, &config.storage).implausible();
        let implausible = count(game, &log, &own, config, self.info(), self.losses().checksum())?;
        sidecar::write(directory, &*config.storage, FILE, &implausible)?;
        clear(&work, &*config.storage)?;
        Ok(self.implausible.get_or_init(|| implausible))
    }
}

fn count(
    game: &PushFight,
    log: &Log,
    own: &Log,
    config: &SolveConfig<'_>,
    info: &SolutionInfo,
    losses: u32,
) -> Result<ImplausiblePositions, SolveError> {
    let too_large = || SolveError::TooLarge { count: game.position_count() };
    let layout = |scope| Layout::new(game, scope).ok_or_else(too_large);
    let (target, known) = (layout(Scope::Implausible)?, layout(Scope::PlausibleAndStarts)?);
    let run = with_words!(target, W => counting::<W>);
    let (phases, draws) = run([target, known], [log, own], config, info)?;
    Ok(ImplausiblePositions { losses, phases, draws })
}

fn counting<const W: usize>(
    [target, known]: [Layout; 2],
    [log, own]: [&Log; 2],
    config: &SolveConfig<'_>,
    info: &SolutionInfo,
) -> Result<(Vec<PhaseCount>, PhaseCount), SolveError> {
    let engine = |layout| Engine::<W>::new(layout, SimdLevel::best(), config.threads);
    let (mut target, known) = (engine(target), engine(known));
    let mut values = KnownValues { engine: known, log, config, info };
    let mut phases = Vec::new();
    let rest = derive_values(&mut target, &mut values, &mut |engine, id, phase| {
        let (plane, count) = run_logged_phase(engine, own, config, id, phase)?;
        if matches!(id, PhaseId::Turns(_)) && covers(info, id) {
            phases.push(PhaseCount { seconds: 0.0, ..count });
        }
        Ok(plane)
    })?;
    if !target.undecided.iter().all(SparseCells::is_empty) {
        return Err(
            io::Error::new(io::ErrorKind::InvalidData, "the logs of the solve do not fit together").into()
        );
    }
    let numbers = |id: PhaseId, numbers: Vec<u64>| count_phase(&target.layout, id, by_superblock(numbers));
    phases.push(numbers(PhaseId::Turns(Turns(1)), rest.won));
    phases.sort_by_key(|phase| phase.turns);
    Ok((phases, numbers(PhaseId::Draws, rest.open)))
}

#[cfg(test)]
mod tests;
