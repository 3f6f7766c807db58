//! Additional numberings of a game, such as a published database's or one without symmetric images.

use retrograde_game::Knowledge;
use serde_json::{Map, Value as Json};

use crate::{Error, Position};

/// An index in an additional numbering, with details.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    /// The number.
    pub index: u128,
    /// Details, such as whether the board was turned: they become JSON fields next to the index.
    pub details: Map<String, Json>,
}

impl From<u128> for Number {
    fn from(index: u128) -> Number {
        Number { index, details: Map::new() }
    }
}

/// Returns the knowledge of a position, for counting or writing by value.
pub type ValueLookup<'a> = dyn Fn(&Position) -> Result<Knowledge, Error> + Sync + 'a;

/// An additional numbering of a game's positions, besides [`Dense`](retrograde_game::Dense).
pub trait Numbering: Send + Sync {
    /// Its name: `minimized`, `seed`.
    fn name(&self) -> &str;

    /// Whether `index` always prints it along with the game's own index.
    fn beside(&self) -> bool {
        false
    }

    /// The index of a position, if it has one.
    fn number(&self, position: &Position) -> Option<Number>;

    /// The position with an index.
    fn position(&self, index: u128) -> Option<Position>;

    /// Counts that do not require a table: names, each with a number or word.
    fn counts(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Counts by value: names, each with a number or word; `None` if there are no such counts.
    ///
    /// # Errors
    /// The errors of `values`.
    fn statistics(&self, _values: &ValueLookup<'_>) -> Result<Option<Vec<(String, String)>>, Error> {
        Ok(None)
    }
}
