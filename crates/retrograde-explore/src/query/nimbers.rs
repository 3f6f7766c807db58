//! Nimbers of a position and of the positions that its turns lead to.

use crate::game::open::OpenGame;
use crate::query::written;
use crate::{Error, Probe, SearchLimits};

impl OpenGame {
    /// Adds the nimbers of the position and of its successors, as far as the limits allow.
    ///
    /// # Errors
    /// If the game is not impartial or is misère play.
    pub fn add_nimbers(&self, probe: &mut Probe, limits: &SearchLimits) -> Result<(), Error> {
        let game = &*self.entry.game;
        let refused = |reason: &str| Err(Error::Unsupported(format!("{} {reason}", self.name())));
        let Some(sums) = &self.entry.sums else {
            return refused("has no nimbers: it is not declared impartial");
        };
        if !sums.last_turn_wins() {
            return refused("has no nimbers: they are only for games in which the last turn wins");
        }
        // The position comes last: its nimber is computed from those of its successors.
        let texts = probe.turns_available.iter().map(|turn| &turn.position).chain([&probe.position.text]);
        let positions = texts.map(|text| written::position(game, text)).collect::<Result<Vec<_>, _>>()?;
        let mut found = sums.nimbers(&positions, limits);
        probe.nimber = found.pop().flatten();
        for (turn, nimber) in probe.turns_available.iter_mut().zip(found) {
            turn.nimber = nimber;
        }
        Ok(())
    }
}
