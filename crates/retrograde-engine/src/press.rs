//! Pressing: among turns that hold a draw, the one that sets the opponent the hardest task.
//!
//! Where the shades of draws have been found, that is the sharpest press. Among turns that are equal
//! by that, or where there are no shades, it is a turn that leaves the fewest replies that hold. A task
//! that was met is none any more: positions that have been there are left alone as long as there are
//! others, for otherwise the same press would come again and again, and the game would be drawn.

use std::time::Duration;

use retrograde_explore::{Error, Explore, ListPage, SearchLimits, TurnValue};
use retrograde_game::{Random, Seat};
use retrograde_solve::SolveError;
use retrograde_solve::clock::Instant;

use crate::{StopSignal, Strength};

/// Replies are counted for so long at most; what was counted by then decides.
const TIME: Duration = Duration::from_secs(2);
/// Turns whose replies are counted at a time.
const PAGE: u64 = 16;

/// One of the turns of the last position of a game that was `played`, as [`Strength::choose`] does
/// it; and if the strength presses and the turns to choose from are drawn, one that presses hardest.
///
/// # Errors
/// If the table is damaged. That the time is over is no error.
pub fn choose_turn<'t>(
    game: &dyn Explore,
    (played, to_move): (&[String], Seat),
    turns: &'t [TurnValue],
    (strength, random): (Strength, &mut Random),
) -> Result<Option<&'t TurnValue>, Error> {
    let mut candidates = strength.candidates(turns, random);
    let drawn = candidates.iter().all(|turn| turn.verdict.outcome == "draw");
    // Whoever errs chooses among all turns, and these are seldom all drawn.
    if strength.presses && drawn && candidates.len() > 1 {
        candidates = hardest(game, (played, to_move), candidates)?;
    }
    Ok(random.choose(&candidates).copied())
}

/// The turns, all of which hold a draw, that set the hardest task.
fn hardest<'t>(
    game: &dyn Explore,
    (played, to_move): (&[String], Seat),
    mut turns: Vec<&'t TurnValue>,
) -> Result<Vec<&'t TurnValue>, Error> {
    let is_new = |turn: &&TurnValue| !played.contains(&turn.position);
    if turns.iter().any(is_new) {
        turns.retain(is_new);
    }
    let shade = |turn: &TurnValue| turn.shade.map(|shade| shade.shade());
    let best = turns.iter().map(|turn| shade(turn)).max().flatten();
    turns.retain(|turn| shade(turn) == best);
    if turns.len() == 1 {
        return Ok(turns);
    }
    let position = played.last().map_or("", String::as_str);
    let replies = count_replies(game, (position, to_move))?;
    let left =
        |turn: &TurnValue| replies.iter().find(|(text, _)| *text == turn.turn).map(|(_, holding)| *holding);
    let fewest = turns.iter().filter_map(|turn| left(turn)).min();
    // Without any count all stay.
    if fewest.is_some() {
        turns.retain(|turn| left(turn) == fewest);
    }
    Ok(turns)
}

/// The holding turns of a position, each with the number of replies that hold; some are missing where
/// the time did not suffice.
fn count_replies(game: &dyn Explore, (position, to_move): (&str, Seat)) -> Result<Vec<(String, u64)>, Error> {
    let began = Instant::now();
    let mut counted = Vec::new();
    let mut next = Some(0);
    while let Some(offset) = next {
        let Some(time) = TIME.checked_sub(began.elapsed()) else { break };
        let (page, limits) = (ListPage { offset, limit: PAGE }, SearchLimits { nodes: 0, time });
        let bounds = StopSignal::default().bounds(Some(time));
        let pressure = match bounds.within(|| game.pressure(position, to_move, page, &limits)) {
            Ok(pressure) => pressure,
            // Where a player can move several times in a row, no turn presses.
            Err(Error::TimedOut | Error::Solve(SolveError::NotAlternating(_))) => break,
            Err(error) => return Err(error),
        };
        counted.extend(pressure.holding_turns.into_iter().map(|turn| (turn.turn, turn.holding)));
        next = pressure.page.and_then(|page| page.next);
    }
    Ok(counted)
}
