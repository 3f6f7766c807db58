//! Games that can repeat, turn by turn: in phase t the positions that end in exactly t turns are
//! decided, and positions that are never decided are draws.
//!
//! With predecessors, the owner of a position that the phase before has decided tells the owners of its
//! predecessors: one word a turn, that it wins or that it is refuted. A loss is found by counting
//! refuted turns down. The order in which words arrive changes nothing. The counts are not saved: a run
//! that resumes counts again, and all wins found before are sent once more.

use retrograde_game::Turns;

use super::team::{Team, saves};
use crate::exchange::Tally;
use crate::job::SolveError;

/// Positions of which some are undecided.
pub(super) trait OpenPositions {
    /// The undecided positions of this process.
    fn count_open(&self, team: &Team<'_, '_>) -> u64;

    /// Decides what ends in so many turns, together with all others; `false` if scores cannot say so
    /// many.
    fn phase(&mut self, team: &mut Team<'_, '_>, turns: u16) -> Result<bool, SolveError>;

    /// Saves the scores before the phase of so many turns.
    fn save(&self, team: &mut Team<'_, '_>, turns: u16) -> Result<(), SolveError>;

    /// Ends the phases: what is undecided is a draw.
    fn end(&self, team: &Team<'_, '_>);
}

/// Decides positions turn by turn, up to a horizon if there is one; phase `turns` comes next, and 0 is
/// the beginning. `false` if scores cannot say how long a game is.
pub(super) fn solve_phases(
    team: &mut Team<'_, '_>,
    positions: &mut dyn OpenPositions,
    turns: u16,
    horizon: Option<Turns>,
) -> Result<bool, SolveError> {
    let mut open = team.sum(positions.count_open(team))?;
    // Wins and losses in one turn are found before phase 1, so that phase may find nothing and not be
    // the last one.
    let first = turns.max(2);
    let mut turns = turns.max(1);
    team.job.progress.stage("solving, turn by turn", open);
    while open > 0 && horizon.is_none_or(|horizon| Turns(turns) <= horizon) {
        if !positions.phase(team, turns)? {
            return Ok(false);
        }
        let left = team.sum(positions.count_open(team))?;
        let found = open - left;
        team.job.progress.advance(found);
        open = left;
        // A position that ends in t + 1 turns has a turn to one that ends in t.
        if found == 0 && turns >= first {
            break;
        }
        turns += 1;
        let wishes = team.wishes();
        let tally = team.exchange.add_up(wishes)?;
        if saves(tally) {
            positions.save(team, turns)?;
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
