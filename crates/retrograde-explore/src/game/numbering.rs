//! Further numberings of a game, such as the one of a seed or one without what symmetry repeats, and the
//! answers to `index` and `position`.

use retrograde_game::{Game, Index, Knowledge, Show, TextError};
use serde_json::{Map, Value as Json};

use crate::game::open::Opened;
use crate::{Count, Error, Numbered};

/// A number in a further numbering, with whatever else belongs to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    /// The number.
    pub index: u128,
    /// What else there is to say, such as whether the board was turned: becomes JSON beside the number.
    pub details: Map<String, Json>,
}

impl From<u128> for Number {
    fn from(index: u128) -> Number {
        Number { index, details: Map::new() }
    }
}

/// Gives what is known of a position; a [`Numbering`] that counts by value asks it.
pub type Values<'a, G> = dyn FnMut(&<G as Game>::Position) -> Result<Knowledge, Error> + 'a;

/// A further numbering of a game's positions, beside [`Dense`](retrograde_game::Dense).
pub trait Numbering<G: Game>: Send + Sync {
    /// The word that names it: `minimized`, `seed`.
    fn name(&self) -> &str;

    /// Whether `index` prints it of itself, beside the game's own number.
    fn beside(&self) -> bool {
        false
    }

    /// The number of a position, `None` if it has none.
    fn number(&self, game: &G, position: &G::Position) -> Option<Number>;

    /// The position that has a number.
    fn position(&self, game: &G, index: u128) -> Option<G::Position>;

    /// Counts that need no table, as lines of a name and a number or word.
    fn counts(&self, _game: &G) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Counts by value, as lines of a name and a number or word; `None` if it has none to give.
    ///
    /// # Errors
    /// What `values` returns.
    fn statistics(
        &self,
        _game: &G,
        _values: &mut Values<'_, G>,
    ) -> Result<Option<Vec<(String, String)>>, Error> {
        Ok(None)
    }
}

/// A number in JSON: a string where a program could lose digits.
fn json(index: u128) -> Json {
    serde_json::to_value(Count(index)).unwrap_or_default()
}

impl<G: Game + Show + 'static> Opened<'_, G> {
    fn numbering(&self, name: &str) -> Result<&dyn Numbering<G>, Error> {
        let known = &self.entry.numberings;
        known.iter().find(|numbering| numbering.name() == name).map(|found| &**found).ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|numbering| numbering.name()).collect();
            let has = if names.is_empty() { "no further numbering".to_owned() } else { names.join(", ") };
            Error::Unsupported(format!("{} has no numbering called `{name}`; it has {has}", self.name))
        })
    }

    pub(crate) fn number(&self, position: &str, numbering: Option<&str>) -> Result<Numbered, Error> {
        let position = self.entry.game.parse_position(position)?;
        self.numbered(&position, numbering)
    }

    fn numbered(&self, position: &G::Position, numbering: Option<&str>) -> Result<Numbered, Error> {
        let game = &self.entry.game;
        let (index, further) = match numbering {
            Some(name) => match self.numbering(name)?.number(game, position) {
                Some(number) => (Some(Count(number.index)), number.details),
                None => (None, Map::new()),
            },
            None => {
                let mut further = Map::new();
                for numbering in self.entry.numberings.iter().filter(|numbering| numbering.beside()) {
                    let number = numbering.number(game, position).map(|number| {
                        let mut fields = Map::new();
                        fields.insert("index".to_owned(), json(number.index));
                        fields.extend(number.details);
                        Json::Object(fields)
                    });
                    further.insert(numbering.name().to_owned(), number.unwrap_or(Json::Null));
                }
                (self.index_of(position).map(|index| Count(index.0.into())), further)
            }
        };
        Ok(Numbered { game: self.name.clone(), position: game.position_text(position), index, further })
    }

    pub(crate) fn at_number(&self, index: &str, numbering: Option<&str>) -> Result<Numbered, Error> {
        let wrong = |reason: String| Error::from(TextError::impossible("index", index, reason));
        let digit = index.chars().position(|c| !c.is_ascii_digit());
        if digit.is_some() || index.is_empty() {
            return Err(TextError::unexpected("index", index, digit.unwrap_or(0), "a digit").into());
        }
        let number: u128 = index.parse().map_err(|_| wrong("it is too large".to_owned()))?;
        let position = match numbering {
            Some(name) => self.numbering(name)?.position(&self.entry.game, number),
            None => {
                let dense = self.entry.dense.ok_or_else(|| self.unnumbered())?;
                let number = u64::try_from(number).ok().map(Index);
                number.and_then(|index| dense.position(&self.entry.game, index))
            }
        };
        let position = position.ok_or_else(|| wrong(format!("no position of {} has it", self.name)))?;
        let mut numbered = self.numbered(&position, numbering)?;
        numbered.index = Some(Count(number));
        Ok(numbered)
    }

    pub(crate) fn numbering_dump(&self, name: &str) -> Result<Vec<(String, String)>, Error> {
        let numbering = self.numbering(name)?;
        if self.values.is_none() {
            return Err(self.no_table());
        }
        let mut values = |position: &G::Position| self.stored_or_rules(position);
        numbering.statistics(&self.entry.game, &mut values)?.ok_or_else(|| {
            Error::Unsupported(format!("the numbering `{name}` of {} has no statistics", self.name))
        })
    }

    pub(crate) fn numbering_facts(&self, name: &str) -> Result<Vec<(String, String)>, Error> {
        Ok(self.numbering(name)?.counts(&self.entry.game))
    }

    fn unnumbered(&self) -> Error {
        Error::Unsupported(format!("{} has no numbering of its positions", self.name))
    }
}
