//! Further numberings of a game, such as that of a published database or one without images under
//! symmetry.

use retrograde_game::Knowledge;
use serde_json::{Map, Value as Json};

use crate::Error;
use crate::game::rules::Position;

/// A number in a further numbering, with whatever else belongs to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    /// The number.
    pub index: u128,
    /// Details, such as whether the board was turned: they become JSON beside the number.
    pub details: Map<String, Json>,
}

impl From<u128> for Number {
    fn from(index: u128) -> Number {
        Number { index, details: Map::new() }
    }
}

/// Returns the knowledge of a position, for counting or writing by value.
pub type ValueLookup<'a> = dyn Fn(&Position) -> Result<Knowledge, Error> + Sync + 'a;

/// A further numbering of a game's positions, beside [`Dense`](retrograde_game::Dense).
pub trait Numbering: Send + Sync {
    /// The word that names it: `minimized`, `seed`.
    fn name(&self) -> &str;

    /// Whether `index` prints it of itself, beside the game's own number.
    fn beside(&self) -> bool {
        false
    }

    /// The number of a position, `None` if it has none.
    fn number(&self, position: &Position) -> Option<Number>;

    /// The position that has a number.
    fn position(&self, index: u128) -> Option<Position>;

    /// Counts that need no table, as lines of a name and a number or word.
    fn counts(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Counts by value, as lines of a name and a number or word; `None` if it has none to give.
    ///
    /// # Errors
    /// The errors of `values`.
    fn statistics(&self, _values: &ValueLookup<'_>) -> Result<Option<Vec<(String, String)>>, Error> {
        Ok(None)
    }
}
