//! Solves games that can repeat, turn by turn. Phase t decides the positions that end in exactly t
//! turns; positions that are never decided are draws.
//!
//! With predecessors, the owner of a position that the previous phase decided notifies the owners of its
//! predecessors: one word per turn, which says that the turn wins or is refuted. Counting down the
//! refuted turns of a position finds losses. The order in which words arrive does not matter. The counts
//! are not saved: a resumed run counts again and resends all earlier wins.

use retrograde_game::Turns;

use super::team::{Team, saves};
use crate::exchange::Tally;
use crate::job::SolveError;
use crate::phase::{Phases, Solved};

/// Positions that phases decide.
pub(super) trait OpenPositions {
    /// Counts the undecided positions of this process.
    fn count_open(&self, team: &Team<'_, '_>) -> u64;

    /// Decides the positions that end in `turns` turns, together with all other processes. Returns
    /// `false` if `turns` does not fit into a score.
    fn phase(&mut self, team: &mut Team<'_, '_>, turns: u16) -> Result<bool, SolveError>;

    /// Saves the scores before phase `turns`.
    fn save(&self, team: &mut Team<'_, '_>, turns: u16) -> Result<(), SolveError>;

    /// Ends the phases: all undecided positions are draws.
    fn end(&self, team: &Team<'_, '_>);
}

/// Decides positions turn by turn, up to the horizon if there is one, from phase `turns` (0: from the
/// beginning). Returns `false` if a game is too long for the scores.
pub(super) fn solve_phases(
    team: &mut Team<'_, '_>,
    positions: &mut dyn OpenPositions,
    turns: u16,
    horizon: Option<Turns>,
) -> Result<bool, SolveError> {
    let mut open = team.sum(positions.count_open(team))?;
    team.job.progress.stage("solving, turn by turn", open);
    let mut phases = Phases::new(turns.max(1), open, horizon);
    while let Some(turns) = phases.due() {
        if !positions.phase(team, turns)? {
            return Ok(false);
        }
        let left = team.sum(positions.count_open(team))?;
        let solved = Solved { found: open - left, open: left, more_is_due: false };
        team.job.progress.advance(solved.found);
        open = left;
        if !phases.take(&solved) {
            break;
        }
        let flags = team.stop_or_save();
        let tally = team.exchange.add_up(flags)?;
        if saves(tally) {
            positions.save(team, phases.turns)?;
        }
        if tally.has(Tally::STOP) {
            return Err(SolveError::Stopped);
        }
    }
    if horizon.is_none() {
        positions.end(team);
    }
    Ok(true)
}
