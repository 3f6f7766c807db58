//! Solves a board with all of it in memory. What becomes of the results is up to a [`Record`].

use retrograde_game::{Dense, Turns};
use retrograde_pushfight::PushFight;
use retrograde_solve::{Progress, SolveError};

use crate::config::SolveConfig;
use crate::kernel::simd::SimdLevel;
use crate::layout::numbering::{Layout, with_words};
use crate::layout::scope::Scope;
use crate::layout::sparse::{Plane, SparseCells};
use crate::layout::superblocks::by_superblock;
use crate::phase::count::{PhaseCount, count_phase};
use crate::phase::engine::Engine;
use crate::phase::kinds::{Phase, is_loss};
use crate::solve::driver::{PhaseResult, PhaseStore, run_phases};
use crate::solve::steps::{find_undecided, remove_no_push_wins, run_phase};

/// Records the results of phases.
pub(crate) trait Record<const W: usize> {
    /// Goes back to the state that an earlier run has saved: returns the phase to begin with, and
    /// the results of the one before. At first all positions that do not win at once are undecided.
    fn resume(&mut self, _engine: &mut Engine<W>) -> Result<(Turns, Plane<W>), SolveError> {
        Ok((Turns(0), Vec::new()))
    }

    /// Runs a phase, or reads its results where an earlier run has recorded them.
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
        _layout: &Layout,
        _no_push: &[SparseCells<W>],
        _counts: &[u64],
    ) -> Result<(), SolveError> {
        Ok(())
    }

    /// Saves the state if it is time for that; `next` is the phase to go on with.
    fn save_if_due(&mut self, _engine: &Engine<W>, _next: Turns) -> Result<(), SolveError> {
        Ok(())
    }

    /// Records the undecided positions, which are drawn.
    fn record_draws(&mut self, _engine: &Engine<W>) -> Result<(), SolveError> {
        Ok(())
    }
}

/// All of a board in memory.
pub(crate) struct InMemoryStore<'a, R, const W: usize> {
    pub engine: Engine<W>,
    pub record: R,
    progress: &'a dyn Progress,
    /// Bytes for the undecided positions and the push cache.
    memory: u64,
    /// The positions of each superblock that win at once.
    won: Vec<u64>,
    /// The results of the phase before; empty if they are not known.
    newest: Plane<W>,
}

impl<'a, R: Record<W>, const W: usize> InMemoryStore<'a, R, W> {
    pub(crate) fn new(engine: Engine<W>, record: R, progress: &'a dyn Progress, memory: u64) -> Self {
        InMemoryStore { engine, record, progress, memory, won: Vec::new(), newest: Vec::new() }
    }
}

impl<R: Record<W>, const W: usize> PhaseStore for InMemoryStore<'_, R, W> {
    fn begin(&mut self) -> Result<Turns, SolveError> {
        self.won = find_undecided(&mut self.engine, self.progress)?;
        let (next, newest) = self.record.resume(&mut self.engine)?;
        self.newest = newest;
        Ok(next)
    }

    fn find_lost_in_0(&mut self) -> Result<PhaseResult, SolveError> {
        self.find(Turns(0))
    }

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

    fn find(&mut self, turns: Turns) -> Result<PhaseResult, SolveError> {
        if is_loss(turns) {
            self.engine.update_push_cache(turns, &self.newest, self.memory);
        }
        let phase = self.engine.phase_for(turns, &self.newest);
        let (found, count) = self.record.run(&self.engine, turns, phase)?;
        self.engine.remove_decided(&found);
        self.newest = found;
        Ok(count.with_size_of(&self.engine).into())
    }

    fn save_if_due(&mut self, next: Turns) -> Result<(), SolveError> {
        self.record.save_if_due(&self.engine, next)
    }

    fn record_draws(&mut self, _last: Turns) -> Result<(), SolveError> {
        self.record.record_draws(&self.engine)
    }
}

/// Counts the positions that each phase finds, among all positions or only among plausible ones
/// (those that can have come from a push). Stops when a phase finds nothing or the horizon is
/// reached. Values are not stored; memory that is not needed otherwise holds the push cache.
///
/// # Errors
/// If it is stopped, or the board is too large.
pub fn count_phases(
    game: &PushFight,
    plausible: bool,
    config: &SolveConfig<'_>,
    mut on_phase: impl FnMut(PhaseCount),
) -> Result<(), SolveError> {
    let scope = if plausible { Scope::Plausible } else { Scope::All };
    let layout =
        Layout::new(game, scope).ok_or_else(|| SolveError::TooLarge { count: game.index_count() })?;
    with_words!(layout, W => {
        let engine = Engine::<W>::new(layout, SimdLevel::best(), config.threads);
        let record = NoRecord { progress: config.progress };
        let mut store = InMemoryStore::new(engine, record, config.progress, config.memory);
        run_phases(&mut store, config.horizon, &mut on_phase)
    })
}

/// Records nothing.
struct NoRecord<'a> {
    progress: &'a dyn Progress,
}

impl<const W: usize> Record<W> for NoRecord<'_> {
    fn run(
        &mut self,
        engine: &Engine<W>,
        turns: Turns,
        phase: Phase<'_, W>,
    ) -> Result<(Plane<W>, PhaseCount), SolveError> {
        run_phase(engine, self.progress, turns, phase)
    }
}

#[cfg(test)]
mod tests;
