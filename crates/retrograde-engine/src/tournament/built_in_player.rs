//! A built-in player with a strength.

use std::sync::Arc;

use retrograde_explore::{Error, OpenGame, SearchLimits};
use retrograde_game::Random;

use super::clock::Clocks;
use super::player::{Forfeit, Player};
use crate::{PlayedGame, StopSignal, Strength, choose_turn, one_word, random_turn, think};

/// A player with a strength.
pub(super) struct BuiltInPlayer {
    game: Arc<OpenGame>,
    strength: Strength,
    seed: u64,
    random: Random,
}

impl BuiltInPlayer {
    pub(super) fn new(game: Arc<OpenGame>, strength: Strength, seed: u64) -> BuiltInPlayer {
        BuiltInPlayer { game, strength, seed, random: Random::new(seed) }
    }
}

impl Player for BuiltInPlayer {
    fn begin(&mut self, number: u64) -> Result<(), Forfeit> {
        // Games are reproducible, independent of earlier games.
        self.random = Random::new(self.seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        Ok(())
    }

    fn choose(&mut self, played: &PlayedGame, clocks: &Clocks) -> Result<Result<String, Forfeit>, Error> {
        let (position, seat) = (played.position(), played.to_move());
        let chosen = if self.strength.is_random() {
            None
        } else {
            let time = clocks.for_thinking(seat as usize);
            let limits = SearchLimits { nodes: u64::MAX, time, depth: self.strength.horizon };
            let stop = StopSignal::default();
            let probe = think(&self.game, (position, seat), &limits, &stop, &mut |_| {})?;
            let chooser = (self.strength, &mut self.random);
            let here = (played.positions(), seat);
            let turn = choose_turn(&self.game, here, &probe.turns_available, chooser)?;
            turn.map(|turn| turn.turn_on_board.clone())
        };
        let turn = match chosen {
            Some(turn) => Some(turn),
            None => random_turn(&self.game, played, &mut self.random)?,
        };
        // The referee has checked that the game is not over.
        Ok(Ok(turn.map_or_else(|| "(none)".to_owned(), |turn| one_word(&turn))))
    }

    fn name(&self) -> String {
        self.strength.to_string()
    }
}
