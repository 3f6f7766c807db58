//! Turns as people type them: by the board they look at, or as the player who makes them sees it.
//!
//! `line`, `play` and pictures keep the first player's orientation, while the text of a turn is its
//! maker's: in TouchDown the second player's `a1a2` is `d4d3` on the board. A user who copies a
//! line from the screen into a command must not get an error, so both are read.

use retrograde_game::Seat;

use crate::{Error, Explore};

/// More turns than any game with two orientations has; others (a board of Push Fight) have but one.
const MOST: usize = 4096;

/// A turn as it looks on the board of the first player.
///
/// # Errors
/// If it cannot be read or is not legal.
pub fn turn_on_board(game: &dyn Explore, position: &str, seat: Seat, turn: &str) -> Result<String, Error> {
    let scenes = game.scenes(position, seat, &[turn.to_owned()])?;
    Ok(scenes.into_iter().next().and_then(|scene| scene.turn).unwrap_or_else(|| turn.to_owned()))
}

/// A turn in its maker's words and the position after it.
///
/// # Errors
/// If it can be read in neither way.
pub fn read_turn(
    game: &dyn Explore,
    position: &str,
    seat: Seat,
    text: &str,
) -> Result<(String, String), Error> {
    let failed = match game.play(position, text) {
        Ok((next, _)) => return Ok((text.to_owned(), next)),
        Err(error) => error,
    };
    if seat == Seat::Second {
        let turns = game.turns(position)?;
        for (turn, next) in turns.into_iter().take(MOST) {
            if turn_on_board(game, position, seat, &turn)? == text {
                return Ok((turn, next));
            }
        }
    }
    Err(failed)
}

/// Turns of a game from a position on, in which `to_move` is to move, in their makers' words. What
/// is given may be halves of turns: a placement in Push Fight is written with a blank.
///
/// # Errors
/// The first that cannot be read or is not legal: which one.
pub fn read_turns(
    game: &dyn Explore,
    position: &str,
    to_move: Seat,
    words: &[String],
) -> Result<Vec<String>, Error> {
    let mut turns = Vec::new();
    let mut here = game.canonical(position)?;
    let mut seat = to_move;
    let mut rest = words;
    while let [word, after @ ..] = rest {
        let joined = after.first().map(|second| format!("{word} {second}"));
        let pair = joined.and_then(|text| read_turn(game, &here, seat, &text).ok());
        let (turn, next) = match pair {
            Some(played) => {
                rest = &after[1..];
                played
            }
            None => {
                rest = after;
                let number = turns.len() + 1;
                read_turn(game, &here, seat, word).map_err(|error| match error {
                    Error::Text(error) => Error::Turn { number, error },
                    error => error,
                })?
            }
        };
        turns.push(turn);
        here = next;
        seat = seat.other();
    }
    Ok(turns)
}
