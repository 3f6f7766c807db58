//! The driver of phases: the one loop behind every solve of a board.
//!
//! The driver knows in which order the phases follow each other and when a solve is over. A
//! [`PhaseStore`] knows where positions and results are stored, and runs a phase when the driver
//! asks for it:
//!
//! - `in_memory`: all of the board in memory; its record is a byte for each position (`scores`, with
//!   checkpoints), a log (`logged`), or nothing
//! - `partitioned`: a log, with one part of the board in memory at a time
//! - `distributed`: a part on each machine, and a log on the first
//!
//! The prologue comes first: positions that win at once, then those lost in 0 turns and won in 1.
//! From then on each phase looks at what the one before has found: even numbers of turns are
//! losses, odd ones wins. A phase that finds nothing is the last: positions that are still
//! undecided are drawn.

use retrograde_game::Turns;
use retrograde_solve::SolveError;

use crate::phase::count::PhaseCount;
use crate::phase::kinds::PhaseId;

/// The state of a solve: the undecided positions, the newest results, and where results go.
pub(crate) trait PhaseStore {
    /// Sets the undecided positions: all that do not win at once. Returns the phase to begin with:
    /// 0, or the one after the last phase of a saved state.
    fn begin(&mut self) -> Result<Turns, SolveError>;

    /// Finds the positions without any turn.
    fn find_lost_in_0(&mut self) -> Result<PhaseResult, SolveError>;

    /// Finds the positions with a turn to one that is lost in 0, and adds those that win at once.
    fn find_won_in_1(&mut self) -> Result<PhaseResult, SolveError>;

    /// Runs a phase of at least 2 turns: finds its positions, or loads them where an earlier run
    /// has found them; records them, and removes them from the undecided ones.
    fn find(&mut self, turns: Turns) -> Result<PhaseResult, SolveError>;

    /// Saves the state if it is time for that; `next` is the phase to go on with.
    fn save_if_due(&mut self, _next: Turns) -> Result<(), SolveError> {
        Ok(())
    }

    /// Records the positions that are still undecided as drawn; `last` is the phase that has found
    /// nothing.
    fn record_draws(&mut self, _last: Turns) -> Result<(), SolveError> {
        Ok(())
    }
}

/// The result of a phase.
pub(crate) struct PhaseResult {
    /// Whether it has found any position.
    pub found_any: bool,
    /// `None` where nobody asks, or another process counts.
    pub count: Option<PhaseCount>,
}

impl From<PhaseCount> for PhaseResult {
    fn from(count: PhaseCount) -> PhaseResult {
        PhaseResult { found_any: !count.is_empty(), count: Some(count) }
    }
}

/// The first phase after the prologue.
const FIRST_PHASE: Turns = Turns(2);

/// Runs one phase after the other, until one finds nothing or the horizon is reached. Phases of the
/// prologue count as within every horizon. `on_phase` is called after each phase.
///
/// # Errors
/// The errors of the store; [`SolveError::TooDeep`] if a game takes more turns than phases have
/// numbers.
pub(crate) fn run_phases(
    store: &mut impl PhaseStore,
    horizon: Option<Turns>,
    on_phase: &mut dyn FnMut(PhaseCount),
) -> Result<(), SolveError> {
    let mut turns = store.begin()?;
    if turns < FIRST_PHASE {
        store.find_lost_in_0()?.count.into_iter().for_each(&mut *on_phase);
        store.find_won_in_1()?.count.into_iter().for_each(&mut *on_phase);
        turns = FIRST_PHASE;
    }
    loop {
        if turns > PhaseId::MAX_TURNS {
            return Err(SolveError::TooDeep);
        }
        if horizon.is_some_and(|horizon| turns > horizon) {
            return Ok(());
        }
        let result = store.find(turns)?;
        result.count.into_iter().for_each(&mut *on_phase);
        if !result.found_any {
            return store.record_draws(turns);
        }
        turns = Turns(turns.0 + 1);
        store.save_if_due(turns)?;
    }
}
