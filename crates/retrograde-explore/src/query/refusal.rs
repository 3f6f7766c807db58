//! Why squares that somebody touched are no step of a turn.

use std::ops::ControlFlow;

use retrograde_game::{Game, Seat, Show};

use crate::Error;
use crate::bounds;
use crate::game::open::OpenGame;
use crate::query::written;

pub(crate) fn refusal<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    position: &str,
    to_move: Seat,
    begun: &[String],
    squares: &[&str],
) -> Result<Option<String>, Error> {
    let game = &open.entry.game;
    let position = written::position(game, position)?;
    let to_move = game.seat(&position).unwrap_or(to_move);
    let begun = &*written::steps(game, &position, begun);
    game.each_step(&position, begun, &mut |_| ControlFlow::Break(()))?;
    let reason = game.refusal(&position, to_move, begun, squares);
    // Rules that were interrupted have not seen all steps.
    bounds::check()?;
    Ok(reason)
}
