//! Finds the value of any position and of its turns: from the rules and the table, or else by a
//! search within limits. Otherwise values stay unknown.

use std::cmp::Reverse;

use retrograde_game::{Knowledge, Seat, Stored, Turns, Value};
use retrograde_solve::clock::Instant;
use retrograde_solve::shades::Shade;

use crate::back_up::{back_up, preference, turn_value};
use crate::bounds;
use crate::game::rules::{Position, Turn};
use crate::query::ahead::{look_up_all, prepare};
use crate::query::budget::Budget;
use crate::query::lookup::{Resolved, look_ahead, published_value};
use crate::query::shades::shade;
use crate::query::turns::{After, Listed, list_turns, turns_with_prefix};
use crate::sorting::sort_by;
use crate::{Error, OpenGame, Source, ValuedPosition};

/// The number of turns to look ahead if a table omits values.
const DEPTH: u32 = 2;

/// A turn with its value for the player who makes it.
pub(crate) struct Valued {
    pub text: String,
    pub turn: Turn,
    pub next: Position,
    /// The value for the player who makes it, counting the turn itself.
    pub knowledge: Knowledge,
    /// Its shade for the player who makes it, if it draws and shades are stored.
    pub shade: Option<Shade>,
    /// The value of the position it leads to, for the side to move there.
    pub after: Resolved,
}

/// The value of a position, with a search if necessary, which may use the rest of the budget.
pub(crate) fn resolve(open: &OpenGame, position: &Position, budget: &mut Budget) -> Result<Resolved, Error> {
    resolve_part(open, position, budget, 1)
}

/// A position with its value, for answers.
pub(crate) fn valued_position(
    open: &OpenGame,
    (position, to_move): (&Position, Seat),
    resolved: Resolved,
) -> Result<ValuedPosition, Error> {
    let game = &*open.entry.game;
    Ok(ValuedPosition {
        game: open.name().to_owned(),
        text: game.position_text(position),
        board: game.board_text(position, to_move),
        to_move: to_move.into(),
        verdict: resolved.knowledge.into(),
        shade: shade(open, position, resolved.knowledge)?.map(Into::into),
        source: resolved.source,
    })
}

fn resolve_part(
    open: &OpenGame,
    position: &Position,
    budget: &mut Budget,
    parts: u64,
) -> Result<Resolved, Error> {
    match look_ahead(open, position, DEPTH)? {
        Some(known) => Ok(known),
        None => search_value(open, position, budget, (parts, 0)),
    }
}

/// Searches a position that the table does not know, with a part of the remaining budget. The
/// position is `after` turns from the queried one.
fn search_value(
    open: &OpenGame,
    position: &Position,
    budget: &mut Budget,
    (parts, after): (u64, u16),
) -> Result<Resolved, Error> {
    let game = &*open.entry.game;
    let unknown = Resolved { knowledge: Knowledge::Unknown, source: Source::Search };
    if budget.is_late() || budget.depth.is_some_and(|depth| depth <= after) {
        return Ok(unknown);
    }
    let part = budget.part(parts, after);
    let found = bounds::until(budget.until, || {
        if part.nodes > 0 {
            (open.entry.search)(position, &part)
        } else if game.turn_is_counted(position) && game.wins_now(position) {
            Ok((Knowledge::Exact(Value::Win(Turns(1))), 0))
        } else {
            Ok((Knowledge::Unknown, 0))
        }
    });
    let (knowledge, nodes) = bounds::unless_ended(found)?.unwrap_or((Knowledge::Unknown, part.nodes));
    if part.nodes > 0 {
        budget.spend(nodes);
    }
    bounds::check()?;
    Ok(Resolved { knowledge, ..unknown })
}

/// The turns with their values, best first, then plain ones first; and whether the list is complete.
pub(crate) fn value_turns(
    open: &OpenGame,
    position: &Position,
    budget: &mut Budget,
) -> Result<(Vec<Valued>, bool), Error> {
    let (turns, complete) = list_turns(open, position, budget)?;
    prepare(open, turns.iter().map(|(_, _, next)| next).chain([position]), false)?;
    Ok((value_listed(open, position, turns, budget)?, complete))
}

/// The values of listed turns, best first; equal ones stay in the order of the list.
fn value_listed(
    open: &OpenGame,
    position: &Position,
    turns: Listed,
    budget: &mut Budget,
) -> Result<Vec<Valued>, Error> {
    let counts = open.entry.game.turn_is_counted(position);
    let count = turns.len() as u64;
    let (has_table, listed_until) = (open.values.is_some(), budget.listed_until);
    let look = |number: usize| {
        let (_, _, next) = &turns[number];
        // Tables and published values are used regardless of time.
        if !has_table && Instant::now() >= listed_until {
            return Ok(published_value(open, next));
        }
        look_ahead(open, next, DEPTH)
    };
    let known = look_up_all(open, turns.len(), &|number| open.index_of(&turns[number].2), &look)?;
    let mut valued = Vec::with_capacity(turns.len());
    for (number, ((text, turn, next), known)) in (0..).zip(turns.into_iter().zip(known)) {
        let after = match known {
            Some(known) => known,
            None => {
                bounds::check()?;
                search_value(open, &next, budget, (count - number, u16::from(counts)))?
            }
        };
        let again = open.entry.game.moves_again(position, &next);
        let knowledge = turn_value(after.knowledge, again, counts);
        let shade = shade(open, &next, after.knowledge)?.map(Shade::before_turn);
        valued.push(Valued { text, turn, next, knowledge, shade, after });
    }
    // The sort is stable and keeps the order of the list.
    let order = |valued: &Valued| (preference(valued.knowledge), Reverse(valued.shade));
    sort_by(&mut valued, |a, b| order(a).cmp(&order(b)));
    Ok(valued)
}

/// The value of a position and of its turns.
pub(crate) struct ValuedTurns {
    pub resolved: Resolved,
    /// Best first, then as [`fewer_steps_first`](crate::query::turns::fewer_steps_first) orders them.
    pub turns: Vec<Valued>,
    /// Whether the list is complete: no limit ended it.
    pub complete: bool,
}

/// The values of a position and of its turns. Half of the budget is for the position.
pub(crate) fn resolve_with_turns(
    open: &OpenGame,
    position: &Position,
    budget: &mut Budget,
) -> Result<ValuedTurns, Error> {
    let (listed, complete) = list_turns(open, position, budget)?;
    resolve_listed(open, position, (listed, complete), budget)
}

/// The same, restricted to turns that lead to the same positions as turns that begin with `prefix`;
/// they are written so that they begin with these steps. If the rules or the table give the value
/// of the position, other turns are not looked up, which saves reads of a remote table.
pub(crate) fn resolve_prefix(
    open: &OpenGame,
    position: &Position,
    prefix: &[String],
    budget: &mut Budget,
) -> Result<(ValuedTurns, After), Error> {
    // A wrong step is reported before anything is searched.
    let (after, all_after) = turns_with_prefix(open, position, prefix, budget)?;
    let (mut listed, all) = list_turns(open, position, budget)?;
    let complete = all && all_after;
    prepare(open, after.keys().chain([position]), false)?;
    if !has_direct_value(open, position)? {
        let mut valued = resolve_listed(open, position, (listed, complete), budget)?;
        valued.turns.retain(|turn| after.contains_key(&turn.next));
        return Ok((valued, after));
    }
    listed.retain(|(_, _, next)| after.contains_key(next));
    let resolved = resolve_part(open, position, budget, 2)?;
    let turns = value_listed(open, position, listed, budget)?;
    bounds::spend_turns(turns.len() as u64);
    Ok((ValuedTurns { resolved, turns, complete }, after))
}

/// Whether the rules or the table give the value of a position without looking at its turns.
pub(crate) fn has_direct_value(open: &OpenGame, position: &Position) -> Result<bool, Error> {
    if open.entry.game.result(position).is_some() {
        return Ok(true);
    }
    let values = open.values.as_deref().filter(|values| values.facts().has_wins);
    let Some((values, index)) = values.zip(open.index_of(position)) else { return Ok(false) };
    Ok(matches!(values.get(index)?, Stored::Known(Knowledge::Exact(_))))
}

fn resolve_listed(
    open: &OpenGame,
    position: &Position,
    (listed, complete): (Listed, bool),
    budget: &mut Budget,
) -> Result<ValuedTurns, Error> {
    prepare(open, listed.iter().map(|(_, _, next)| next).chain([position]), false)?;
    let mut resolved = resolve_part(open, position, budget, 2)?;
    let turns = value_listed(open, position, listed, budget)?;
    bounds::spend_turns(turns.len() as u64);
    if resolved.source == Source::Search && !turns.is_empty() && resolved.knowledge.value().is_none() {
        let counts = open.entry.game.turn_is_counted(position);
        let folded = back_up(turns.iter().map(|turn| turn.knowledge), counts, true);
        if resolved.knowledge.outcome().is_none() || folded.value().is_some() {
            resolved.knowledge = folded;
        }
    }
    Ok(ValuedTurns { resolved, turns, complete })
}
