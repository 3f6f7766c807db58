//! Counts implausible positions, which no push can have led to.
//!
//! No game reaches them, so a solution omits them. Their values follow from the values of plausible
//! positions (see `values`). They are counted by depth, so that the counts cover all arrangements of
//! the pieces, like the counts of the first complete solution of Push Fight ("Solving Push Fight").
//!
//! Results are logged like the phases of a solve, in a work folder that is removed at the end. The
//! counts are written to `others.json` in the folder of the solution, with the checksum of the losses
//! that they follow from.

use std::io;
use std::path::Path;

use retrograde_pushfight::PushFight;
use retrograde_solve::SolveError;
use retrograde_table::write_sealed;

use crate::config::SolveConfig;
use crate::derive::values::{KnownValues, covers, derive_values};
use crate::files::implausible_counts::{FILE, ImplausiblePositions};
use crate::files::log::{Log, OTHERS};
use crate::files::work_folder::{IMPLAUSIBLE, clear, make};
use crate::layout::scope::Scope;
use crate::layout::sparse::SparseCells;
use crate::phase::count::PhaseCount;
use crate::phase::engine::Engine;
use crate::phase::kinds::PhaseId;
use crate::solution::Solution;
use crate::solve::distributed::run_logged_phase;

impl Solution {
    /// The counts of implausible positions; `None` until they are counted.
    pub fn implausible(&self) -> Option<&ImplausiblePositions> {
        self.implausible.get()
    }

    /// Counts the positions that no push can have led to, unless they are counted already, and writes
    /// the counts to `directory`, the folder of the solution. This takes the memory and time of a
    /// solve. Results are logged in a work folder, from which a later run continues; the folder is
    /// removed at the end.
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
            // A run that was killed after writing the counts has left its work folder.
            clear(&directory.join(IMPLAUSIBLE), &*config.storage)?;
            return Ok(implausible);
        }
        let work = directory.join(IMPLAUSIBLE);
        make(&work, &*config.storage)?;
        let log = self.logs(game, directory, &work, config)?;
        let own = Log::new(game, &work, &config.storage).sibling(OTHERS);
        let implausible = count(self, game, [&log, &own], config)?;
        write_sealed(&*config.storage, &directory.join(FILE), &implausible)?;
        clear(&work, &*config.storage)?;
        Ok(self.implausible.get_or_init(|| implausible))
    }
}

fn count(
    solution: &Solution,
    game: &PushFight,
    [log, own]: [&Log; 2],
    config: &SolveConfig<'_>,
) -> Result<ImplausiblePositions, SolveError> {
    let info = solution.info();
    let mut target = Engine::of_board(game, Scope::Implausible, config.threads)?;
    let mut values = KnownValues::new(game, log, config, info)?;
    let mut phases = Vec::new();
    let [won, draws] = derive_values(&mut target, &mut values, &mut |engine, id, phase| {
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
    phases.push(won);
    phases.sort_unstable_by_key(|phase| phase.turns);
    Ok(ImplausiblePositions { losses: solution.losses().checksum(), phases, draws })
}

#[cfg(test)]
mod tests;
