//! Solves a board that is completely in memory, and logs its results.

use retrograde_game::Turns;
use retrograde_solve::SolveError;

use crate::config::SolveConfig;
use crate::files::log::Log;
use crate::layout::sparse::{Plane, SparseCells};
use crate::layout::superblocks::by_superblock;
use crate::phase::count::{PhaseCount, count_phase, logged_draws};
use crate::phase::engine::Engine;
use crate::phase::kinds::{PhaseId, is_loss};
use crate::solve::driver::PhaseStore;
use crate::solve::steps::{Found, find_undecided, log_results, run_logged_phase};

/// A whole board in memory.
pub(crate) struct InMemoryStore<'a> {
    engine: Engine,
    log: &'a Log,
    config: &'a SolveConfig<'a>,
    /// The number of positions of each superblock that win at once.
    won: Vec<u64>,
    /// The results of the previous phase; empty if they are not known.
    newest: Plane,
}

impl<'a> InMemoryStore<'a> {
    pub(crate) fn new(engine: Engine, log: &'a Log, config: &'a SolveConfig<'a>) -> Self {
        InMemoryStore { engine, log, config, won: Vec::new(), newest: Vec::new() }
    }

    fn find_won_in_1(&mut self) -> Result<PhaseCount, SolveError> {
        let no_push = self.find_logged(PhaseId::WonByNoPush)?.0;
        let all = by_superblock(self.won.iter().zip(&no_push));
        let all = all.map(|(superblock, (won, wins))| (superblock, won + wins.count(), SparseCells::empty()));
        let all: Vec<Found> = all.collect();
        let count = count_phase(&self.engine.layout, Turns(1), all.iter().map(|found| (found.0, found.1)));
        log_results(self.log, self.config, Turns(1), all)?;
        Ok(count)
    }

    /// Runs a phase, or reads its results from the log, and removes them from the undecided positions.
    fn find_logged(&mut self, id: PhaseId) -> Result<(Plane, PhaseCount), SolveError> {
        let phase = self.engine.phase_for(id, &self.newest);
        let (found, count) = run_logged_phase(&self.engine, self.log, self.config, id, phase)?;
        self.engine.remove_decided(&found);
        self.newest = Plane::new();
        Ok((found, count))
    }
}

impl PhaseStore for InMemoryStore<'_> {
    fn find(&mut self, turns: Turns) -> Result<PhaseCount, SolveError> {
        match turns {
            Turns(0) => self.won = find_undecided(&mut self.engine, self.config.progress)?,
            Turns(1) => return self.find_won_in_1(),
            _ if is_loss(turns) => self.engine.update_push_cache(turns, &self.newest, self.config.memory),
            _ => {}
        }
        let (found, count) = self.find_logged(turns.into())?;
        self.newest = found;
        Ok(count)
    }

    fn record_draws(&mut self, _last: Turns) -> Result<(), SolveError> {
        let layout = &self.engine.layout;
        let draws = by_superblock(&self.engine.undecided)
            .map(|(superblock, cells)| (superblock, cells.count(), logged_draws(layout, superblock, cells)));
        log_results(self.log, self.config, PhaseId::Draws, draws.collect())
    }
}

#[cfg(test)]
mod tests;
