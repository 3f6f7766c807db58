//! Chooses among turns of the same value: in a draw, a turn that sets the opponent the hardest task; in a win
//! with an unknown number of turns, a turn that makes progress.
//!
//! If the shades of draws are known, the hardest task is the sharpest press. Among equal turns, or without
//! shades, it is a turn that leaves the fewest replies that hold. Positions that already occurred in the game
//! are avoided if possible, since otherwise the same press would repeat and the game would be drawn.

use std::time::Duration;

use retrograde_explore::{Error, ListPage, OpenGame, SearchLimits, TurnValue};
use retrograde_game::{Random, Seat};
use retrograde_solve::SolveError;
use retrograde_solve::clock::Instant;

use crate::{StopSignal, Strength};

/// The time limit for counting replies; the counts so far decide.
const TIME: Duration = Duration::from_secs(2);
/// The positions that the search for a fastest win may visit.
const ADVANCE: u64 = 200_000;
/// The number of turns whose replies are counted at a time.
const PAGE: u64 = 16;

/// Chooses a turn in the last position of the game `played`, like [`Strength::choose`]. If the strength
/// presses and the candidates are drawn, chooses one that presses hardest. Of wins in an unknown number of
/// turns, as in tables of outcomes, chooses one that makes progress.
///
/// # Errors
/// If the table is damaged. Running out of time is not an error.
pub fn choose_turn<'t>(
    game: &OpenGame,
    (played, to_move): (&[String], Seat),
    turns: &'t [TurnValue],
    (strength, random): (Strength, &mut Random),
) -> Result<Option<&'t TurnValue>, Error> {
    let mut candidates = strength.candidates(turns, random);
    let drawn = candidates.iter().all(|turn| turn.verdict.outcome == "draw");
    // A mistake chooses among all turns, which are rarely all drawn.
    if strength.presses && drawn && candidates.len() > 1 {
        candidates = hardest(game, (played, to_move), candidates)?;
    }
    let is_open = |turn: &&TurnValue| (turn.verdict.outcome, turn.verdict.turns) == ("win", None);
    if candidates.len() > 1 && candidates.iter().all(is_open) {
        candidates = advancing(game, played, candidates)?;
    }
    Ok(random.choose(&candidates).copied())
}

/// Selects the turns that make progress if all win in an unknown number of turns: a fastest one if a search
/// finds it, else the turns to positions that this game has visited least often.
///
/// The latter rule ends every game eventually if all turns keep the win. In an endless game some positions
/// would occur infinitely often, and in each of them every winning turn would be played infinitely often.
/// Take the one with the fewest turns to the end: after its fastest turn and any reply, the end is closer,
/// and this position would also occur infinitely often, a contradiction.
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

/// Selects the turns that set the hardest task, if all hold a draw.
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
    // Without any counts, all turns stay.
    if fewest.is_some() {
        turns.retain(|turn| left(turn) == fewest);
    }
    Ok(turns)
}

/// The holding turns of a position, each with its number of replies that hold; incomplete if the time ran
/// out.
fn count_replies(game: &OpenGame, (position, to_move): (&str, Seat)) -> Result<Vec<(String, u64)>, Error> {
    let began = Instant::now();
    let mut counted = Vec::new();
    let mut next = Some(0);
    while let Some(offset) = next {
        let Some(time) = TIME.checked_sub(began.elapsed()) else { break };
        let (page, limits) = (ListPage { offset, limit: PAGE }, SearchLimits { nodes: 0, time, depth: None });
        let bounds = StopSignal::default().bounds(time);
        let pressure = match bounds.within(|| game.pressure(position, to_move, page, &limits)) {
            Ok(pressure) => pressure,
            // If a player can move several times in a row, no turn presses.
            Err(Error::TimedOut | Error::Solve(SolveError::NotAlternating(_))) => break,
            Err(error) => return Err(error),
        };
        counted.extend(pressure.holding_turns.into_iter().map(|turn| (turn.turn, turn.holding)));
        next = pressure.page.and_then(|page| page.next);
    }
    Ok(counted)
}
