//! A player in answers and in bodies of requests.

use retrograde_game::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A player, by who moves first in the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Player {
    First,
    Second,
}

impl From<Seat> for Player {
    fn from(seat: Seat) -> Player {
        match seat {
            Seat::First => Player::First,
            Seat::Second => Player::Second,
        }
    }
}

impl From<Player> for Seat {
    fn from(player: Player) -> Seat {
        match player {
            Player::First => Seat::First,
            Player::Second => Seat::Second,
        }
    }
}
