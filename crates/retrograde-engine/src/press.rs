//! Choosing among turns of the same value: in a draw one that sets the opponent the hardest task, and
//! in a win without a known number of turns one that gets nearer to the end.
//!
//! Where the shades of draws have been found, that is the sharpest press. Among turns that are equal
//! by that, or where there are no shades, it is a turn that leaves the fewest replies that hold. A task
//! that was met is none any more: positions that have been there are left alone as long as there are
//! others, for otherwise the same press would come again and again, and the game would be drawn.

use std::time::Duration;

use retrograde_explore::{Error, ListPage, OpenGame, SearchLimits, TurnValue};
use retrograde_game::{Random, Seat};
use retrograde_solve::SolveError;
use retrograde_solve::clock::Instant;

use crate::{StopSignal, Strength};

/// Replies are counted for so long at most; what was counted by then decides.
const TIME: Duration = Duration::from_secs(2);
/// Positions that the search for a fastest win may look at.
const ADVANCE: u64 = 200_000;
/// Turns whose replies are counted at a time.
const PAGE: u64 = 16;

/// One of the turns of the last position of a game that was `played`, as [`Strength::choose`] does
/// it; and if the strength presses and the turns to choose from are drawn, one that presses hardest. Of wins
/// in an unknown number of turns, as tables of outcomes have them, it is one that gets nearer to the end.
///
/// # Errors
/// If the table is damaged. That the time is over is no error.
pub fn choose_turn<'t>(
    game: &OpenGame,
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
    let is_open = |turn: &&TurnValue| (turn.verdict.outcome, turn.verdict.turns) == ("win", None);
    if candidates.len() > 1 && candidates.iter().all(is_open) {
        candidates = advancing(game, played, candidates)?;
    }
    Ok(random.choose(&candidates).copied())
}

/// The turns, all of which win in an unknown number of turns, that get nearer to the end: a fastest one
/// if a search finds it, else the turns to the positions that this game has visited least often.
///
/// The latter end every game that is long enough, if all turns keep the win. In a game without end some
/// positions come again for ever, and in each of them every winning turn is made for ever. Take the one
/// with the fewest turns to the end: after its fastest turn, whatever the reply, the end is nearer, and
/// that position comes again for ever too, which cannot be.
fn advancing<'t>(
    game: &OpenGame,
    played: &[String],
    mut turns: Vec<&'t TurnValue>,
) -> Result<Vec<&'t TurnValue>, Error> {
    let position = played.last().map_or("", String::as_str);
    let limits = SearchLimits { nodes: ADVANCE, time: TIME, depth: None };
    if let Some((_, fastest)) = game.fewest_turns(position, &limits)?
        && let Some(turn) = turns.iter().find(|turn| turn.turn == fastest)
    {
        return Ok(vec![*turn]);
    }
    let visits = |turn: &TurnValue| played.iter().filter(|position| **position == turn.position).count();
    let fewest = turns.iter().map(|turn| visits(turn)).min();
    turns.retain(|turn| Some(visits(turn)) == fewest);
    Ok(turns)
}

/// The turns, all of which hold a draw, that set the hardest task.
fn hardest<'t>(
    game: &OpenGame,
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
fn count_replies(game: &OpenGame, (position, to_move): (&str, Seat)) -> Result<Vec<(String, u64)>, Error> {
    let began = Instant::now();
    let mut counted = Vec::new();
    let mut next = Some(0);
    while let Some(offset) = next {
        let Some(time) = TIME.checked_sub(began.elapsed()) else { break };
        let (page, limits) = (ListPage { offset, limit: PAGE }, SearchLimits { nodes: 0, time, depth: None });
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
