//! Solves a board that is completely in memory. A [`Record`] stores the results.

use retrograde_game::Turns;
use retrograde_solve::{Progress, SolveError};

use crate::layout::numbering::Layout;
use crate::layout::sparse::{Plane, SparseCells};
use crate::layout::superblocks::by_superblock;
use crate::phase::count::{PhaseCount, count_phase};
use crate::phase::engine::Engine;
use crate::phase::kinds::{Phase, is_loss};
use crate::solve::driver::{PhaseResult, PhaseStore};
use crate::solve::steps::{find_undecided, remove_no_push_wins};

/// Records the results of phases.
pub(crate) trait Record<const W: usize> {
    /// Runs a phase, or reads its results if an earlier run has recorded them.
    fn run(
        &mut self,
        engine: &Engine<W>,
        turns: Turns,
        phase: Phase<'_, W>,
    ) -> Result<(Plane<W>, PhaseCount), SolveError>;

    /// Records the positions that win in 1 because the opponent has no push, and the number of all
    /// that win in 1, by superblock.
    fn record_won_in_1(
        &mut self,
        layout: &Layout,
        no_push: &[SparseCells<W>],
        counts: &[u64],
    ) -> Result<(), SolveError>;

    /// Records the undecided positions, which are drawn.
    fn record_draws(&mut self, engine: &Engine<W>) -> Result<(), SolveError>;
}

/// A whole board in memory.
pub(crate) struct InMemoryStore<'a, R, const W: usize> {
    pub engine: Engine<W>,
    pub record: R,
    progress: &'a dyn Progress,
    /// Bytes for the undecided positions and the push cache.
    memory: u64,
    /// The number of positions of each superblock that win at once.
    won: Vec<u64>,
    /// The results of the previous phase; empty if they are not known.
    newest: Plane<W>,
}

impl<'a, R: Record<W>, const W: usize> InMemoryStore<'a, R, W> {
    pub(crate) fn new(engine: Engine<W>, record: R, progress: &'a dyn Progress, memory: u64) -> Self {
        InMemoryStore { engine, record, progress, memory, won: Vec::new(), newest: Vec::new() }
    }
}

impl<R: Record<W>, const W: usize> InMemoryStore<'_, R, W> {
    fn find_won_in_1(&mut self) -> Result<PhaseResult, SolveError> {
        let stuck = std::mem::take(&mut self.newest);
        let mut won = std::mem::take(&mut self.won);
        let (no_push, counts) = remove_no_push_wins(&mut self.engine, &stuck, self.progress)?;
        for (superblock, count) in counts {
            won[superblock] += count;
        }
        self.record.record_won_in_1(&self.engine.layout, &no_push, &won)?;
        let count = count_phase(&self.engine.layout, Turns(1), by_superblock(won));
        Ok(count.with_size_of(&self.engine).into())
    }
}

impl<R: Record<W>, const W: usize> PhaseStore for InMemoryStore<'_, R, W> {
    fn find(&mut self, turns: Turns) -> Result<PhaseResult, SolveError> {
        match turns {
            Turns(0) => self.won = find_undecided(&mut self.engine, self.progress)?,
            Turns(1) => return self.find_won_in_1(),
            _ if is_loss(turns) => self.engine.update_push_cache(turns, &self.newest, self.memory),
            _ => {}
        }
        let phase = self.engine.phase_for(turns, &self.newest);
        let (found, count) = self.record.run(&self.engine, turns, phase)?;
        self.engine.remove_decided(&found);
        self.newest = found;
        Ok(count.with_size_of(&self.engine).into())
    }

    fn record_draws(&mut self, _last: Turns) -> Result<(), SolveError> {
        self.record.record_draws(&self.engine)
    }
}

#[cfg(test)]
mod tests;
