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
use crate::solve::steps::{
    find_undecided, has_no_push_wins, log_results, remove_no_push_wins, run_logged_phase,
};

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
        let stuck = std::mem::take(&mut self.newest);
        let mut won = std::mem::take(&mut self.won);
        let no_push = remove_no_push_wins(&mut self.engine, &stuck, &mut won, self.config.progress)?;
        let layout = &self.engine.layout;
        let no_push = by_superblock(no_push).filter(|(id, wins)| has_no_push_wins(layout, *id, wins));
        let no_push = no_push.map(|(id, wins)| (id, wins.count(), wins)).collect();
        log_results(self.log, self.config, PhaseId::WonByNoPush, no_push)?;
        let all = by_superblock(&won).map(|(superblock, &count)| (superblock, count, SparseCells::empty()));
        log_results(self.log, self.config, Turns(1), all.collect())?;
        Ok(count_phase(layout, Turns(1), by_superblock(won)))
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
        let phase = self.engine.phase_for(turns, &self.newest);
        let (found, count) = run_logged_phase(&self.engine, self.log, self.config, turns, phase)?;
        self.engine.remove_decided(&found);
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
