//! Explains why touched squares are not a step of a turn.

use std::ops::ControlFlow;

use retrograde_game::Seat;

use crate::Error;
use crate::bounds;
use crate::game::open::OpenGame;
use crate::query::written;

impl OpenGame {
    /// Explains why the touched squares are neither a step after the steps `prefix` nor the
    /// beginning of one. Returns `None` if they are, or if the game gives no reasons. Squares are
    /// in the coordinates of the board.
    ///
    /// # Errors
    /// If the text is not a position, or a step of `prefix` is not legal.
    pub(crate) fn refusal(
        &self,
        position: &str,
        to_move: Seat,
        prefix: &[String],
        squares: &[&str],
    ) -> Result<Option<String>, Error> {
        let game = &*self.entry.game;
        let position = written::position(game, position)?;
        let to_move = game.seat(&position).unwrap_or(to_move);
        let prefix = &*written::steps(game, &position, prefix);
        game.each_step(&position, prefix, &mut |_| ControlFlow::Break(()))?;
        let reason = game.refusal(&position, to_move, prefix, squares);
        // After an interruption the rules have not seen all steps.
        bounds::check()?;
        Ok(reason)
    }
}
