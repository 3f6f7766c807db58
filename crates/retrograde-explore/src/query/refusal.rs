//! Explains why touched squares are not a step of a turn.

use std::ops::ControlFlow;

use retrograde_game::Seat;

use crate::Error;
use crate::bounds;
use crate::game::open::OpenGame;
use crate::query::written;

impl OpenGame {
    /// Explains why the touched squares are neither a step after the steps `begun` nor the
    /// beginning of one. Returns `None` if they are, or if the game gives no reasons. Squares are
    /// in the coordinates of the board.
    ///
    /// # Errors
    /// If the text is not a position, or a step of `begun` is not legal.
    pub(crate) fn refusal(
        &self,
        position: &str,
        to_move: Seat,
        begun: &[String],
        squares: &[&str],
    ) -> Result<Option<String>, Error> {
        let game = &*self.entry.game;
        let position = written::position(game, position)?;
        let to_move = game.seat(&position).unwrap_or(to_move);
        let begun = &*written::steps(game, &position, begun);
        game.each_step(&position, begun, &mut |_| ControlFlow::Break(()))?;
        let reason = game.refusal(&position, to_move, begun, squares);
        // After an interruption the rules have not seen all steps.
        bounds::check()?;
        Ok(reason)
    }
}
