//! Solves a board with all undecided positions in memory, alone or together with other processes.

use retrograde_game::Turns;
use retrograde_solve::SolveError;

use crate::config::SolveConfig;
use crate::layout::sparse::{Plane, SparseCells};
use crate::layout::superblocks::by_superblock;
use crate::phase::count::{PhaseCount, logged_draws};
use crate::phase::engine::Engine;
use crate::phase::kinds::{PhaseId, is_loss};
use crate::solve::distributed::SharedResults;
use crate::solve::driver::PhaseStore;
use crate::solve::steps::{PhaseResult, find_undecided};

/// A board, or the part of a process, in memory.
pub(crate) struct InMemoryStore<'a> {
    engine: Engine,
    results: SharedResults<'a>,
    config: &'a SolveConfig<'a>,
    /// The number of positions of each superblock that win at once.
    won: Vec<u64>,
    /// The results of the previous phase; empty if they are not known.
    newest: Plane,
}

impl<'a> InMemoryStore<'a> {
    pub(crate) fn new(
        engine: Engine,
        results: SharedResults<'a>,
        config: &'a SolveConfig<'a>,
    ) -> InMemoryStore<'a> {
        InMemoryStore { engine, results, config, won: Vec::new(), newest: Vec::new() }
    }

    fn find_won_in_1(&mut self) -> Result<PhaseCount, SolveError> {
        let no_push = self.find_rest(PhaseId::WonByNoPush)?.0;
        let all = by_superblock(self.won.iter().zip(&no_push));
        let all =
            all.map(|(superblock, (won, wins))| (superblock, won + wins.count(), SparseCells::default()));
        self.results.record(&self.engine.layout, Turns(1).into(), all.collect())
    }

    /// Finds the results of a phase, and removes them from the undecided positions.
    fn find_rest(&mut self, id: PhaseId) -> PhaseResult {
        let phase = self.engine.phase_for(id, &self.newest);
        let (found, count) = self.results.run(&self.engine, id, phase)?;
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
            _ if is_loss(turns) && self.engine.part.is_none() => {
                self.engine.update_push_cache(turns, &self.newest, self.config.memory)
            }
            _ => {}
        }
        let (found, count) = self.find_rest(turns.into())?;
        self.newest = found;
        Ok(count)
    }

    /// Records the number of undecided positions of each superblock, and the undecided positions before
    /// the first push themselves.
    fn record_draws(&mut self, _last: Turns) -> Result<(), SolveError> {
        let layout = &self.engine.layout;
        let draws = by_superblock(&self.engine.undecided)
            .map(|(superblock, cells)| (superblock, cells.count(), logged_draws(layout, superblock, cells)));
        self.results.record(layout, PhaseId::Draws, draws.collect())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
