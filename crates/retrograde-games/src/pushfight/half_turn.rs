//! The numbering of plausible positions in which a position and its image under a half turn share a number.

use std::sync::OnceLock;

use retrograde_explore::{Number, Numbering, Position};
use retrograde_pushfight::{MinimizedNumbering, PushFight};

/// The numbering of a game, built when it is first needed.
pub(crate) struct HalfTurn {
    pub(super) game: PushFight,
    numbering: OnceLock<Option<MinimizedNumbering>>,
}

impl HalfTurn {
    pub(super) fn of(game: &PushFight) -> HalfTurn {
        HalfTurn { game: game.clone(), numbering: OnceLock::new() }
    }

    pub(super) fn numbering(&self) -> Option<&MinimizedNumbering> {
        self.numbering.get_or_init(|| self.game.minimized()).as_ref()
    }
}

impl Numbering for HalfTurn {
    fn name(&self) -> &str {
        "minimized"
    }

    fn beside(&self) -> bool {
        true
    }

    fn number(&self, position: &Position) -> Option<Number> {
        let (number, turned) = self.numbering()?.number(&self.game, position.get())?;
        let mut number = Number::from(u128::from(number));
        number.details.insert("turned".to_owned(), turned.into());
        Some(number)
    }

    fn position(&self, index: u128) -> Option<Position> {
        self.numbering()?.position(&self.game, u64::try_from(index).ok()?).map(Position::new)
    }
}
