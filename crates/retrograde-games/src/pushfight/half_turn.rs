//! The numbering of the plausible positions in which a position and its image under a half turn
//! have one number.

use std::sync::OnceLock;

use retrograde_explore::{Number, Numbering};
use retrograde_game::Game;
use retrograde_pushfight::{MinimizedNumbering, PushFight};

/// The numbering, made when it is first asked for.
#[derive(Default)]
pub(crate) struct HalfTurn(OnceLock<Option<MinimizedNumbering>>);

impl HalfTurn {
    pub(super) fn of(&self, game: &PushFight) -> Option<&MinimizedNumbering> {
        self.0.get_or_init(|| game.minimized()).as_ref()
    }
}

impl Numbering<PushFight> for HalfTurn {
    fn name(&self) -> &str {
        "minimized"
    }

    fn beside(&self) -> bool {
        true
    }

    fn number(&self, game: &PushFight, position: &<PushFight as Game>::Position) -> Option<Number> {
        let (number, turned) = self.of(game)?.number(game, position)?;
        let mut number = Number::from(u128::from(number));
        number.details.insert("turned".to_owned(), turned.into());
        Some(number)
    }

    fn position(&self, game: &PushFight, index: u128) -> Option<<PushFight as Game>::Position> {
        self.of(game)?.position(game, u64::try_from(index).ok()?)
    }
}
