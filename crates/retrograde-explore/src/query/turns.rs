//! The turns of a position, a turn played, and games replayed.

use std::collections::HashMap;
use std::ops::ControlFlow;

use retrograde_game::{Game, Outcome, Show};

use crate::Error;
use crate::bounds;
use crate::game::open::OpenGame;
use crate::sorting::sort_by;

/// Turns with their texts and the positions they lead to.
pub(crate) type Listed<G> = Vec<(String, <G as Game>::Turn, <G as Game>::Position)>;

/// The positions that turns lead to, each with such a turn.
pub(crate) type After<G> = HashMap<<G as Game>::Position, <G as Game>::Turn>;

/// Each position of a played game with the turn made there, and the last position.
type Played<G> = (Vec<(<G as Game>::Position, <G as Game>::Turn)>, <G as Game>::Position);

/// The turns of a position with their texts, by text.
pub(crate) fn list_turns<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    position: &G::Position,
) -> Result<Listed<G>, Error> {
    let game = &open.entry.game;
    check_turn_count(open, position)?;
    let mut turns: Vec<_> = game
        .turns(position)
        .into_iter()
        .map(|(turn, next)| (game.turn_text(position, &turn), turn, next))
        .collect();
    bounds::check()?;
    sort_by(&mut turns, |a, b| a.0.cmp(&b.0));
    Ok(turns)
}

/// The turns that begin with some steps, and where they lead; or the one turn that the steps are as a
/// whole.
///
/// # Errors
/// If a step cannot be read or is not legal.
pub(crate) fn turns_begun<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    position: &G::Position,
    begun: &[String],
) -> Result<After<G>, Error> {
    let game = &open.entry.game;
    if let Err(refused) = game.each_step(position, begun, &mut |_| ControlFlow::Break(())) {
        let turn = game.parse_turn(position, &begun.join(",")).map_err(|_| refused)?;
        let next = game.play(position, &turn);
        return Ok([(next, turn)].into());
    }
    check_turn_count(open, position)?;
    let turns = game.turns_after(position, begun)?;
    bounds::check()?;
    Ok(turns.into_iter().map(|(turn, next)| (next, turn)).collect())
}

/// Looks whether the turns may be listed, where there are bounds, before memory is taken for them.
fn check_turn_count<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    position: &G::Position,
) -> Result<(), Error> {
    bounds::check()?;
    let Some(most) = bounds::turns_left() else { return Ok(()) };
    let mut count = 0;
    let many = open.entry.game.each_successor(position, |_| {
        count += 1;
        if count > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bounds::check()?;
    if many.is_break() { Err(bounds::too_many_turns()) } else { Ok(()) }
}

/// The outcome for the side to move if the game is over.
pub(crate) fn outcome_if_over<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    position: &G::Position,
) -> Option<Outcome> {
    let game = &open.entry.game;
    game.result(position).or_else(|| {
        let stuck = game.each_successor(position, |_| ControlFlow::Break(())).is_continue();
        stuck.then(|| game.outcome_without_turns())
    })
}

/// Reads the turns of a game played from a position: each position with the turn made there, and
/// the last position.
pub(crate) fn replay<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    position: &str,
    turns: &[String],
) -> Result<Played<G>, Error> {
    let game = &open.entry.game;
    let mut position = game.parse_position(position)?;
    let mut played = Vec::with_capacity(turns.len());
    for (number, text) in (1..).zip(turns) {
        let turn = game.parse_turn(&position, text).map_err(|error| Error::Turn { number, error })?;
        let next = game.play(&position, &turn);
        played.push((std::mem::replace(&mut position, next), turn));
    }
    Ok((played, position))
}

/// The text of the position that a turn leads to, and whether that turn counts.
pub(crate) fn play<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    position: &str,
    turn: &str,
) -> Result<(String, bool), Error> {
    let game = &open.entry.game;
    let position = game.parse_position(position)?;
    let turn = game.parse_turn(&position, turn)?;
    Ok((game.position_text(&game.play(&position, &turn)), game.turn_is_counted(&position)))
}

/// All turns by text, with the positions that they lead to.
pub(crate) fn turns<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    position: &str,
) -> Result<Vec<(String, String)>, Error> {
    let game = &open.entry.game;
    let turns = list_turns(open, &game.parse_position(position)?)?;
    Ok(turns.into_iter().map(|(text, _, next)| (text, game.position_text(&next))).collect())
}
