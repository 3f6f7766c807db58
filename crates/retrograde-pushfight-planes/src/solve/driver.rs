//! The driver of phases: the one loop behind every solve of a board.
//!
//! The driver knows in which order the phases follow each other and when a solve is over. A
//! [`PhaseStore`] holds the positions and runs a phase when the driver asks for it:
//!
//! - `in_memory`: the board in memory, and a log; with `distributed`, a part on each machine, and a log on
//!   the first
//! - `partitioned`: a log, with one part of the board in memory at a time
//!
//! Phase t finds the positions that end in t turns: losses if t is even, wins if it is odd. Each phase
//! looks at the results of the one before. From the third on, a phase that finds nothing is the last:
//! positions that are still undecided are drawn.

use retrograde_game::Turns;
use retrograde_solve::SolveError;

use crate::phase::count::PhaseCount;
use crate::phase::kinds::PhaseId;

/// The state of a solve: the undecided positions, the newest results, and where results go.
pub(crate) trait PhaseStore {
    /// Runs the phase of `turns` turns: finds its positions, or loads them if an earlier run has found
    /// them, records them, and removes them from the undecided ones. Called for 0, 1, 2 and so on.
    fn find(&mut self, turns: Turns) -> Result<PhaseCount, SolveError>;

    /// Records the positions that are still undecided as drawn; `last` is the phase that has found
    /// nothing.
    fn record_draws(&mut self, last: Turns) -> Result<(), SolveError>;
}

/// Runs one phase after the other, until one finds nothing or the horizon is reached. The phases of 0
/// and 1 turns always run. `on_phase` is called after each phase.
///
/// # Errors
/// The errors of the store; [`SolveError::TooDeep`] if a game takes more turns than phases have
/// numbers.
pub(crate) fn run_phases(
    store: &mut impl PhaseStore,
    horizon: Option<Turns>,
    on_phase: &mut dyn FnMut(PhaseCount),
) -> Result<(), SolveError> {
    for turns in (0..=PhaseId::MAX_TURNS.0).map(Turns) {
        if horizon.is_some_and(|horizon| turns > horizon.max(Turns(1))) {
            return Ok(());
        }
        let count = store.find(turns)?;
        let over = turns > Turns(1) && count.is_empty();
        on_phase(count);
        if over {
            return store.record_draws(turns);
        }
    }
    Err(SolveError::TooDeep)
}
