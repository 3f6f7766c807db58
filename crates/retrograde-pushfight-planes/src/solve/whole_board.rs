//! Solves a board phase by phase with all of it in memory, each phase logged.

use retrograde_game::Turns;
use retrograde_solve::SolveError;

use crate::config::SolveConfig;
use crate::files::log::Log;
use crate::layout::sparse::{Plane, SparseCells};
use crate::layout::superblocks::by_superblock;
use crate::phase::count::{count_phase, logged_draws};
use crate::phase::engine::Engine;
use crate::phase::kinds::{Phase, PhaseId, is_loss};
use crate::solve::driver::{PhaseResult, PhaseStore};
use crate::solve::steps::{find_undecided, remove_no_push_wins, run_logged_phase};

/// All of a board in memory, and the log.
pub(crate) struct WholeBoardStore<'a, const W: usize> {
    engine: Engine<W>,
    log: &'a Log,
    config: &'a SolveConfig<'a>,
    /// The positions of each superblock that win at once, later all that are won in one turn.
    won: Vec<u64>,
    /// The results of the phase before; empty if they are not known.
    newest: Plane<W>,
}

impl<'a, const W: usize> WholeBoardStore<'a, W> {
    pub(crate) fn new(
        engine: Engine<W>,
        log: &'a Log,
        config: &'a SolveConfig<'a>,
    ) -> WholeBoardStore<'a, W> {
        WholeBoardStore { engine, log, config, won: Vec::new(), newest: Vec::new() }
    }

    /// Removes the results of a phase from the undecided positions.
    fn remove(&mut self, found: Plane<W>) {
        self.engine.remove_decided(&found);
        self.newest = found;
    }
}

impl<const W: usize> PhaseStore for WholeBoardStore<'_, W> {
    fn begin(&mut self) -> Result<Turns, SolveError> {
        self.won = find_undecided(&mut self.engine, self.config.progress)?;
        Ok(Turns(0))
    }

    fn find_lost_in_0(&mut self) -> Result<PhaseResult, SolveError> {
        let (found, count) = run_logged_phase(&self.engine, self.log, self.config, Turns(0), Phase::NoPush)?;
        self.remove(found);
        Ok(count.into())
    }

    fn find_won_in_1(&mut self) -> Result<PhaseResult, SolveError> {
        let stuck = std::mem::take(&mut self.newest);
        for (superblock, count) in remove_no_push_wins(&mut self.engine, &stuck, self.config.progress)? {
            self.won[superblock] += count;
        }
        let turns = Turns(1);
        let logged = self.log.open(turns)?;
        logged.note_damage(self.config.progress);
        if !logged.is_whole() {
            let writer = self.log.write(turns)?;
            for (superblock, &count) in by_superblock(&self.won) {
                writer.add(superblock, count, &SparseCells::<W>::empty());
            }
            writer.finish(Some(self.won.len()))?;
        }
        let count = count_phase(&self.engine.layout, turns, by_superblock(self.won.iter().copied()));
        Ok(count.with_size_of(&self.engine).into())
    }

    fn find(&mut self, turns: Turns) -> Result<PhaseResult, SolveError> {
        if is_loss(turns) {
            self.engine.update_push_cache(turns, &self.newest, self.config.memory);
        }
        let phase = self.engine.phase_for(turns, &self.newest);
        let (found, count) = run_logged_phase(&self.engine, self.log, self.config, turns, phase)?;
        self.remove(found);
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
