//! Solves a board that is completely in memory, and logs its results.

use retrograde_game::Turns;
use retrograde_solve::SolveError;

use crate::config::SolveConfig;
use crate::files::log::Log;
use crate::layout::sparse::{Plane, SparseCells};
use crate::layout::superblocks::by_superblock;
use crate::phase::count::{count_phase, logged_draws};
use crate::phase::engine::Engine;
use crate::phase::kinds::{PhaseId, is_loss};
use crate::solve::driver::{PhaseResult, PhaseStore};
use crate::solve::steps::{find_undecided, log_no_push_wins, remove_no_push_wins, run_logged_phase};

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

    fn find_won_in_1(&mut self) -> Result<PhaseResult, SolveError> {
        let stuck = std::mem::take(&mut self.newest);
        let mut won = std::mem::take(&mut self.won);
        let (no_push, counts) = remove_no_push_wins(&mut self.engine, &stuck, self.config.progress)?;
        for (superblock, count) in counts {
            won[superblock] += count;
        }
        self.log_won_in_1(&no_push, &won)?;
        let count = count_phase(&self.engine.layout, Turns(1), by_superblock(won));
        Ok(count.with_size_of(&self.engine).into())
    }

    /// Logs the positions that win in 1 because the opponent has no push, and the number of all that
    /// win in 1, by superblock.
    fn log_won_in_1(&self, no_push: &[SparseCells], counts: &[u64]) -> Result<(), SolveError> {
        log_no_push_wins(&self.engine.layout, self.log, self.config, no_push)?;
        let logged = self.log.open(Turns(1))?;
        logged.note_damage(self.config.progress);
        if !logged.is_complete() {
            let writer = self.log.write(Turns(1))?;
            for (superblock, &count) in by_superblock(counts) {
                writer.add(superblock, count, &SparseCells::empty());
            }
            writer.finish(Some(counts.len()))?;
        }
        Ok(())
    }
}

impl PhaseStore for InMemoryStore<'_> {
    fn find(&mut self, turns: Turns) -> Result<PhaseResult, SolveError> {
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
        Ok(count.with_size_of(&self.engine).into())
    }

    fn record_draws(&mut self, _last: Turns) -> Result<(), SolveError> {
        let writer = self.log.write(PhaseId::Draws)?;
        for (superblock, cells) in by_superblock(&self.engine.undecided) {
            writer.add(superblock, cells.count(), &logged_draws(&self.engine.layout, superblock, cells));
        }
        Ok(writer.finish(Some(self.engine.undecided.len()))?)
    }
}

#[cfg(test)]
mod tests;
