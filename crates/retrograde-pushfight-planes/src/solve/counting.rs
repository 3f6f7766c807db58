//! Counts the positions that each phase finds, without storing values.

use retrograde_game::{Dense, Turns};
use retrograde_pushfight::PushFight;
use retrograde_solve::SolveError;

use crate::config::SolveConfig;
use crate::kernel::simd::SimdLevel;
use crate::layout::numbering::{Layout, with_words};
use crate::layout::scope::Scope;
use crate::layout::sparse::Plane;
use crate::layout::superblocks::by_superblock;
use crate::phase::count::{PhaseCount, count_phase};
use crate::phase::engine::Engine;
use crate::phase::kinds::{Phase, is_loss};
use crate::solve::driver::{PhaseResult, PhaseStore, run_phases};
use crate::solve::steps::{find_undecided, remove_no_push_wins, run_phase};

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
        let mut store = CountStore { engine, config, won: Vec::new(), newest: Vec::new() };
        run_phases(&mut store, config.horizon, &mut on_phase)
    })
}

/// All of a board in memory; results are only counted.
struct CountStore<'a, const W: usize> {
    engine: Engine<W>,
    config: &'a SolveConfig<'a>,
    /// The positions of each superblock that win at once, later all that are won in one turn.
    won: Vec<u64>,
    /// The results of the phase before; empty if they are not known.
    newest: Plane<W>,
}

impl<const W: usize> CountStore<'_, W> {
    /// Removes the results of a phase from the undecided positions.
    fn remove(&mut self, found: Plane<W>, count: PhaseCount) -> PhaseResult {
        self.engine.remove_decided(&found);
        self.newest = found;
        count.with_size_of(&self.engine).into()
    }
}

impl<const W: usize> PhaseStore for CountStore<'_, W> {
    fn begin(&mut self) -> Result<Turns, SolveError> {
        self.won = find_undecided(&mut self.engine, self.config.progress)?;
        Ok(Turns(0))
    }

    fn find_lost_in_0(&mut self) -> Result<PhaseResult, SolveError> {
        let (found, count) = run_phase(&self.engine, self.config.progress, Turns(0), Phase::NoPush)?;
        Ok(self.remove(found, count))
    }

    fn find_won_in_1(&mut self) -> Result<PhaseResult, SolveError> {
        let stuck = std::mem::take(&mut self.newest);
        for (superblock, count) in remove_no_push_wins(&mut self.engine, &stuck, self.config.progress)? {
            self.won[superblock] += count;
        }
        let count = count_phase(&self.engine.layout, Turns(1), by_superblock(self.won.iter().copied()));
        Ok(count.with_size_of(&self.engine).into())
    }

    fn find(&mut self, turns: Turns) -> Result<PhaseResult, SolveError> {
        if is_loss(turns) {
            self.engine.update_push_cache(turns, &self.newest, self.config.memory);
        }
        let phase = self.engine.phase_for(turns, &self.newest);
        let (found, count) = run_phase(&self.engine, self.config.progress, turns, phase)?;
        Ok(self.remove(found, count))
    }
}
