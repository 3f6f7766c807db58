//! Finds the fewest turns to the end of a won position if the table has no turns to the end: a
//! search of the turns that keep the win.

use std::collections::HashMap;

use retrograde_game::Outcome;

use crate::bounds;
use crate::game::rules::{Position, Turn};
use crate::query::lookup::known_value;
use crate::query::turns::outcome_if_over;
use crate::query::written;
use crate::{Error, OpenGame, SearchLimits};

/// The longest win to search for, which is also the depth of the recursion.
const MAX_TURNS: u16 = 256;

impl OpenGame {
    /// Finds the fewest turns in which a position is won, and a turn that wins as fast, if the
    /// table only has outcomes, by searching the turns that keep the win. Returns `None` if the
    /// position is not won or if the limits ended the search.
    ///
    /// # Errors
    /// As [`OpenGame::probe`].
    pub fn fewest_turns(
        &self,
        position: &str,
        limits: &SearchLimits,
    ) -> Result<Option<(u16, String)>, Error> {
        let game = &*self.entry.game;
        let position = written::position(game, position)?;
        let won = known_value(self, &position)?.and_then(|known| known.knowledge.outcome());
        if won != Some(Outcome::Win) || game.result(&position).is_some() {
            return Ok(None);
        }
        let end = bounds::after(limits.time);
        let mut search = Search { open: self, left: limits.nodes, known: HashMap::new() };
        let found = bounds::until(end, || {
            for within in 1..=limits.depth.unwrap_or(MAX_TURNS).min(MAX_TURNS) {
                if let Some(turn) = search.winning_turn(&position, within)? {
                    return Ok(Some((within, game.turn_text(&position, &turn))));
                }
            }
            Ok(None)
        });
        Ok(bounds::unless_ended(found)?.flatten())
    }
}

/// A search for wins within an increasing number of turns.
struct Search<'a> {
    open: &'a OpenGame,
    /// The number of positions that may still be visited.
    left: u64,
    /// The bounds, by position and whether the winner is to move.
    known: HashMap<(Position, bool), Within>,
}

/// Bounds on the turns to the end of a won game.
#[derive(Clone, Copy, Default)]
struct Within {
    /// At most this many.
    most: Option<u16>,
    /// More than this many.
    more_than: Option<u16>,
}

impl Search<'_> {
    /// A turn of the winner after which the game ends `within` a number of turns, including this
    /// one.
    fn winning_turn(&mut self, position: &Position, within: u16) -> Result<Option<Turn>, Error> {
        let game = &*self.open.entry.game;
        let turns = game.turns(position);
        self.visit(turns.len())?;
        for (turn, next) in turns {
            let winner_moves = game.moves_again(position, &next);
            let keeps = if winner_moves { Outcome::Win } else { Outcome::Loss };
            let after = known_value(self.open, &next)?.and_then(|known| known.knowledge.outcome());
            if after == Some(keeps) && self.ends(&next, winner_moves, within - 1)? {
                return Ok(Some(turn));
            }
        }
        Ok(None)
    }

    /// Whether a won game ends `within` a number of turns, whatever the loser does.
    fn ends(&mut self, position: &Position, winner_moves: bool, within: u16) -> Result<bool, Error> {
        let game = &*self.open.entry.game;
        if let Some(outcome) = outcome_if_over(&*self.open.entry.game, position) {
            let wanted = if winner_moves { Outcome::Win } else { Outcome::Loss };
            return Ok(outcome == wanted);
        }
        if within == 0 {
            return Ok(false);
        }
        let key = (position.clone(), winner_moves);
        let known = self.known.get(&key).copied().unwrap_or_default();
        if known.most.is_some_and(|most| most <= within) {
            return Ok(true);
        }
        if known.more_than.is_some_and(|turns| turns >= within) {
            return Ok(false);
        }
        let ends = if winner_moves {
            self.winning_turn(position, within)?.is_some()
        } else {
            let turns = game.turns(position);
            self.visit(turns.len())?;
            let mut all = true;
            for (_, next) in turns {
                let winner_moves = !game.moves_again(position, &next);
                if !self.ends(&next, winner_moves, within - 1)? {
                    all = false;
                    break;
                }
            }
            all
        };
        let known = self.known.entry(key).or_default();
        if ends {
            known.most = Some(within);
        } else {
            known.more_than = Some(within);
        }
        Ok(ends)
    }

    /// Subtracts positions from the budget.
    fn visit(&mut self, positions: usize) -> Result<(), Error> {
        // After an interruption, the list of turns may be incomplete.
        bounds::check()?;
        match self.left.checked_sub(positions as u64) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Error::TimedOut),
        }
    }
}
