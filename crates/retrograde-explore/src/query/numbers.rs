//! The number of a position, the position of a number, and statistics by a further numbering.

use retrograde_game::{Game, Index, Show, TextError};
use serde_json::{Map, Value as Json};

use crate::game::numbering::Numbering;
use crate::game::open::OpenGame;
use crate::query::lookup::stored_or_rules;
use crate::query::written;
use crate::{Count, Error, NumberedPosition};

/// A number in JSON: a string where a program could lose digits.
fn json(index: u128) -> Json {
    serde_json::to_value(Count(index)).unwrap_or_default()
}

fn numbering_named<'a, G: Game + Show + 'static>(
    open: &'a OpenGame<'_, G>,
    name: &str,
) -> Result<&'a dyn Numbering<G>, Error> {
    let known = &open.entry.numberings;
    known.iter().find(|numbering| numbering.name() == name).map(|found| &**found).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|numbering| numbering.name()).collect();
        let has = if names.is_empty() { "no further numbering".to_owned() } else { names.join(", ") };
        Error::Unsupported(format!("{} has no numbering called `{name}`; it has {has}", open.name))
    })
}

pub(crate) fn number<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    position: &str,
    numbering: Option<&str>,
) -> Result<NumberedPosition, Error> {
    let position = written::position(&open.entry.game, position)?;
    numbered(open, &position, numbering)
}

fn numbered<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    position: &G::Position,
    numbering: Option<&str>,
) -> Result<NumberedPosition, Error> {
    let game = &open.entry.game;
    let (index, further) = match numbering {
        Some(name) => match numbering_named(open, name)?.number(game, position) {
            Some(number) => (Some(Count(number.index)), number.details),
            None => (None, Map::new()),
        },
        None => {
            let mut further = Map::new();
            for numbering in open.entry.numberings.iter().filter(|numbering| numbering.beside()) {
                let number = numbering.number(game, position).map(|number| {
                    let mut fields = Map::new();
                    fields.insert("index".to_owned(), json(number.index));
                    fields.extend(number.details);
                    Json::Object(fields)
                });
                further.insert(numbering.name().to_owned(), number.unwrap_or(Json::Null));
            }
            (open.entry.index(position).map(|index| Count(index.0.into())), further)
        }
    };
    Ok(NumberedPosition { game: open.name.clone(), position: game.position_text(position), index, further })
}

pub(crate) fn position<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    index: &str,
    numbering: Option<&str>,
) -> Result<NumberedPosition, Error> {
    let wrong = |reason: String| Error::from(TextError::impossible("index", index, reason));
    let digit = index.chars().position(|c| !c.is_ascii_digit());
    if digit.is_some() || index.is_empty() {
        return Err(TextError::unexpected("index", index, digit.unwrap_or(0), "a digit").into());
    }
    let number: u128 = index.parse().map_err(|_| wrong("it is too large".to_owned()))?;
    let position = match numbering {
        Some(name) => numbering_named(open, name)?.position(&open.entry.game, number),
        None => {
            let dense = open.entry.dense.ok_or_else(|| no_numbering(open))?;
            let number = u64::try_from(number).ok().map(Index);
            number.and_then(|index| dense.position(&open.entry.game, index))
        }
    };
    let position = position.ok_or_else(|| wrong(format!("no position of {} has it", open.name)))?;
    let mut numbered = numbered(open, &position, numbering)?;
    numbered.index = Some(Count(number));
    Ok(numbered)
}

pub(crate) fn statistics<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    name: &str,
) -> Result<Vec<(String, String)>, Error> {
    let numbering = numbering_named(open, name)?;
    if open.values.is_none() {
        return Err(open.no_table());
    }
    let values = |position: &G::Position| stored_or_rules(open, position);
    numbering.statistics(&open.entry.game, &values)?.ok_or_else(|| {
        Error::Unsupported(format!("the numbering `{name}` of {} has no statistics", open.name))
    })
}

pub(crate) fn counts<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    name: &str,
) -> Result<Vec<(String, String)>, Error> {
    Ok(numbering_named(open, name)?.counts(&open.entry.game))
}

fn no_numbering<G: Game + Show + 'static>(open: &OpenGame<'_, G>) -> Error {
    Error::Unsupported(format!("{} has no numbering of its positions", open.name))
}
