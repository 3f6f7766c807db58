//! The index of a position, the position with an index, and statistics of additional numberings.

use retrograde_game::{Index, TextError};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::query::lookup::stored_or_rules;
use crate::query::written;
use crate::{Count, Error, Numbering, OpenGame, Position};

/// The number of a position (`index`, `position`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct NumberedPosition {
    /// The canonical name of the game.
    pub game: String,
    /// The position, seen by the side to move.
    pub position: String,
    /// Its index; null if the numbering leaves it out.
    pub index: Option<Count>,
    /// Further numberings of this position: name and JSON value.
    #[schemars(with = "crate::answer::words::OtherNumbers")]
    #[serde(flatten)]
    pub further: serde_json::Map<String, serde_json::Value>,
}

/// A number in JSON: a string if clients could lose digits.
fn json(index: u128) -> Json {
    serde_json::to_value(Count(index)).unwrap_or_default()
}

fn numbering_named<'a>(open: &'a OpenGame, name: &str) -> Result<&'a dyn Numbering, Error> {
    let known = &open.entry.numberings;
    known.iter().find(|numbering| numbering.name() == name).map(|found| &**found).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|numbering| numbering.name()).collect();
        let has = if names.is_empty() { "only its own".to_owned() } else { names.join(", ") };
        Error::Unsupported(format!("{} has no numbering called `{name}`; it has {has}", open.name()))
    })
}

impl OpenGame {
    /// The index of a position; with `numbering`, only in that one.
    ///
    /// # Errors
    /// If the text is not a position or there is no such numbering.
    pub fn index(&self, position: &str, numbering: Option<&str>) -> Result<NumberedPosition, Error> {
        let position = written::position(&*self.entry.game, position)?;
        numbered(self, &position, numbering)
    }

    /// The position with an index.
    ///
    /// # Errors
    /// If there is no such position or no such numbering.
    pub fn position(&self, index: &str, numbering: Option<&str>) -> Result<NumberedPosition, Error> {
        let wrong = |reason: String| Error::from(TextError::impossible("index", index, reason));
        let digit = index.chars().position(|c| !c.is_ascii_digit());
        if digit.is_some() || index.is_empty() {
            return Err(TextError::unexpected("index", index, digit.unwrap_or(0), "a digit").into());
        }
        let number: u128 = index.parse().map_err(|_| wrong("it is too large".to_owned()))?;
        let position = match numbering {
            Some(name) => numbering_named(self, name)?.position(number),
            None => {
                let dense = self.entry.dense().ok_or_else(|| no_numbering(self))?;
                let number = u64::try_from(number).ok().map(Index);
                number.and_then(|index| dense.position(index))
            }
        };
        let position =
            position.ok_or_else(|| wrong(format!("{} has no position with this index", self.name())))?;
        let mut numbered = numbered(self, &position, numbering)?;
        numbered.index = Some(Count(number));
        Ok(numbered)
    }

    /// The statistics of an additional numbering: names, each with a number or word (`stats
    /// --numbering`).
    ///
    /// # Errors
    /// If there is no such numbering or no table.
    pub fn numbering_statistics(&self, numbering: &str) -> Result<Vec<(String, String)>, Error> {
        let name = numbering;
        let numbering = numbering_named(self, name)?;
        if self.values.is_none() {
            return Err(self.no_table());
        }
        let values = |position: &Position| stored_or_rules(self, position);
        numbering.statistics(&values)?.ok_or_else(|| {
            Error::Unsupported(format!("the numbering `{name}` of {} has no statistics", self.name()))
        })
    }

    /// The counts of an additional numbering that do not require a table (`games --numbering`).
    ///
    /// # Errors
    /// If there is no such numbering.
    pub fn numbering_counts(&self, numbering: &str) -> Result<Vec<(String, String)>, Error> {
        Ok(numbering_named(self, numbering)?.counts())
    }
}

fn numbered(
    open: &OpenGame,
    position: &Position,
    numbering: Option<&str>,
) -> Result<NumberedPosition, Error> {
    let game = &*open.entry.game;
    let (index, further) = match numbering {
        Some(name) => match numbering_named(open, name)?.number(position) {
            Some(number) => (Some(Count(number.index)), number.details),
            None => (None, Map::new()),
        },
        None => {
            let mut further = Map::new();
            for numbering in open.entry.numberings.iter().filter(|numbering| numbering.beside()) {
                let number = numbering.number(position).map(|number| {
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
    Ok(NumberedPosition {
        game: open.name().to_owned(),
        position: game.position_text(position),
        index,
        further,
    })
}

fn no_numbering(open: &OpenGame) -> Error {
    Error::Unsupported(format!("{} has no numbering of its positions", open.name()))
}
