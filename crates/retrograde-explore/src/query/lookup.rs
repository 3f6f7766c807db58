//! Values from the rules and the table without a search: direct, completed if a table of losses
//! omits wins, or with a short look ahead.

use retrograde_game::{Knowledge, Stored, Turns, Value};
use retrograde_table::{FilePart, TableError};

use crate::back_up::{back_up, turn_value};
use crate::bounds;
use crate::game::rules::{Position, Rules};
use crate::query::turns::outcome_if_over;
use crate::{Error, OpenGame, Source};

/// The value of a position, and its source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Resolved {
    pub knowledge: Knowledge,
    pub source: Source,
}

/// Looks up a value in the rules and the table, or without a table in the published values, without
/// looking at turns. Returns `None` if none has the position.
pub(crate) fn known_value(open: &OpenGame, position: &Position) -> Result<Option<Resolved>, Error> {
    let game = &*open.entry.game;
    if let Some(outcome) = game.result(position) {
        let knowledge = Knowledge::Exact(Value::over(outcome));
        return Ok(Some(Resolved { knowledge, source: Source::Rules }));
    }
    let Some(values) = &open.values else { return Ok(published_value(open, position)) };
    let Some(index) = open.index_of(position) else {
        return Ok(match values.value_of_text(&game.position_text(position))? {
            Stored::Known(knowledge) => Some(Resolved { knowledge, source: Source::Table }),
            Stored::Nothing => None,
        });
    };
    match values.value(index)? {
        Stored::Known(knowledge) => {
            // If there are no turns, the value is in the table, but its source is the rules.
            let over = knowledge.turns() == Some(Turns(0)) || knowledge == Knowledge::Exact(Value::Draw);
            let knowledge = complete(open, knowledge, position)?;
            let by_rules = over && outcome_if_over(game, position).is_some();
            let source = if by_rules { Source::Rules } else { Source::Table };
            Ok(Some(Resolved { knowledge, source }))
        }
        Stored::Nothing if !values.facts().has_all_positions => Ok(None),
        Stored::Nothing => Err(TableError::Damaged {
            file: values.facts().path.to_owned(),
            place: FilePart::Whole,
            reason: format!(
                "it has no value at index {index}, which is the position {}",
                game.position_text(position)
            ),
        }
        .into()),
    }
}

/// Looks up a published value.
pub(crate) fn published_value(open: &OpenGame, position: &Position) -> Option<Resolved> {
    let value = open.entry.known_values.as_ref()?(position)?;
    Some(Resolved { knowledge: Knowledge::Exact(value), source: Source::Published })
}

/// Looks up a value in the rules, then in the table.
pub(crate) fn stored_or_rules(open: &OpenGame, position: &Position) -> Result<Knowledge, Error> {
    Ok(look_ahead(open, position, 2)?.map_or(Knowledge::Unknown, |resolved| resolved.knowledge))
}

/// Completes a value that a table of losses leaves open: whether a position that is not lost is
/// won, and in how many turns.
pub(crate) fn complete(
    open: &OpenGame,
    knowledge: Knowledge,
    position: &Position,
) -> Result<Knowledge, Error> {
    let Some(values) = open.values.as_ref().filter(|_| knowledge == Knowledge::NotLost) else {
        return Ok(knowledge);
    };
    if values.facts().looks_at_turns
        && let Some(index) = open.index_of(position)
    {
        return Ok(match values.value(index)? {
            Stored::Known(knowledge) => knowledge,
            Stored::Nothing => knowledge,
        });
    }
    let game = &*open.entry.game;
    if let Some(outcome) = outcome_if_over(game, position) {
        return Ok(Knowledge::Exact(Value::over(outcome)));
    }
    let counts = game.turn_is_counted(position);
    let mut turns = Vec::new();
    let listed = game.turns(position);
    bounds::check()?;
    for (_, next) in listed {
        let again = game.moves_again(position, &next);
        turns.push(match game.result(&next) {
            Some(outcome) => turn_value(Knowledge::Exact(Value::over(outcome)), again, counts),
            None => match open.index_of(&next).map(|index| values.get(index)).transpose()? {
                Some(Stored::Known(Knowledge::NotLost)) => Knowledge::NotLost,
                Some(Stored::Known(after)) => turn_value(after, again, counts),
                _ => Knowledge::Unknown,
            },
        });
    }
    // A turn to a position that is not lost does not win; if no turn wins, one of them draws.
    let unknown = turns.contains(&Knowledge::Unknown);
    Ok(match back_up(turns, counts, unknown) {
        Knowledge::NotLost if !unknown => Knowledge::Exact(Value::Draw),
        Knowledge::Unknown => Knowledge::NotLost,
        known => known,
    })
}

/// Derives a value from the rules and the table by looking ahead a limited number of turns. Returns
/// `None` if that is not enough.
pub(crate) fn look_ahead(
    open: &OpenGame,
    position: &Position,
    depth: u32,
) -> Result<Option<Resolved>, Error> {
    /// Looking deeper at more positions than this would be a search.
    const CHEAP: usize = 1 << 8;
    let depth = if open.values.is_some() { depth } else { 0 };
    derive(&*open.entry.game, position, (depth, CHEAP), &|position| known_value(open, position))
}

/// Derives a value from known ones by looking up to `depth` turns ahead, but only one if there are more than
/// `cheap` turns. Returns `None` if that is not enough.
pub(crate) fn derive(
    game: &dyn Rules,
    position: &Position,
    (depth, cheap): (u32, usize),
    known: &dyn Fn(&Position) -> Result<Option<Resolved>, Error>,
) -> Result<Option<Resolved>, Error> {
    if let Some(known) = known(position)? {
        return Ok(Some(known));
    }
    if let Some(outcome) = outcome_if_over(game, position) {
        let knowledge = Knowledge::Exact(Value::over(outcome));
        return Ok(Some(Resolved { knowledge, source: Source::Rules }));
    }
    if depth == 0 {
        return Ok(None);
    }
    let turns = game.turns(position);
    bounds::check()?;
    let deeper = if turns.len() <= cheap { depth - 1 } else { 0 };
    let counts = game.turn_is_counted(position);
    let mut after_turns = Vec::with_capacity(turns.len());
    for (_, next) in &turns {
        bounds::check()?;
        let Some(after) = derive(game, next, (deeper, cheap), known)? else { return Ok(None) };
        after_turns.push(turn_value(after.knowledge, game.moves_again(position, next), counts));
    }
    Ok(Some(Resolved { knowledge: back_up(after_turns, counts, false), source: Source::Table }))
}
