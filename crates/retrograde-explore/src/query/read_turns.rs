//! Turns as people type them: by the board they look at, or as the player who makes them sees it.
//!
//! `line`, `play` and pictures keep the first player's orientation, while the text of a turn is its
//! maker's: in TouchDown the second player's `a1a2` is `d4d3` on the board. A user who copies a
//! line from the screen into a command must not get an error, so both are read. A record, whose
//! turns all come from one hand, is read in one of them as a whole (docs/records.md).

use std::time::Duration;

use retrograde_game::{Seat, TextError};
use serde::Deserialize;

use crate::{Error, Explore, SearchLimits};

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

/// The player for whom the squares of written turns are named.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Coordinates {
    /// All turns as the board shows them, which the first player looks at.
    Board,
    /// Each turn as the player who makes it sees it.
    Mover,
    /// Not said: those of the board if all turns are legal so, else those of the movers.
    Either,
}

/// A turn in its maker's words and the position after it; the text may be in both coordinates, and
/// its maker's are tried first.
///
/// # Errors
/// If it can be read in neither way.
pub fn read_turn(
    game: &dyn Explore,
    position: &str,
    seat: Seat,
    text: &str,
) -> Result<(String, String), Error> {
    let failed = match read_turn_of_mover(game, position, text) {
        Ok(played) => return Ok(played),
        Err(error) => error,
    };
    match seat {
        Seat::First => Err(failed),
        Seat::Second => Ok(find_on_board(game, position, seat, text)?.ok_or(failed)?),
    }
}

/// A turn in the coordinates of the board, in its maker's words, and the position after it.
///
/// # Errors
/// If there is no such turn.
pub fn read_turn_on_board(
    game: &dyn Explore,
    position: &str,
    seat: Seat,
    text: &str,
) -> Result<(String, String), Error> {
    let played = read_turn_of_mover(game, position, text);
    if seat == Seat::First {
        return played;
    }
    // Most games have one orientation, and texts need not be those that are printed.
    if played.is_ok() && turn_on_board(game, position, seat, text)? == text {
        return played;
    }
    if let Some(found) = find_on_board(game, position, seat, text)? {
        return Ok(found);
    }
    if !has_two_orientations(game, position, seat)? {
        return played;
    }
    match played {
        Ok(_) => Err(TextError::impossible("turn", text, "it is no turn on this board").into()),
        failed => failed,
    }
}

fn read_turn_of_mover(game: &dyn Explore, position: &str, text: &str) -> Result<(String, String), Error> {
    game.play(position, text).map(|(next, _)| (text.to_owned(), next))
}

/// The turn that has this text on the board.
fn find_on_board(
    game: &dyn Explore,
    position: &str,
    seat: Seat,
    text: &str,
) -> Result<Option<(String, String)>, Error> {
    for (turn, next) in some_turns(game, position)? {
        if turn_on_board(game, position, seat, &turn)? == text {
            return Ok(Some((turn, next)));
        }
    }
    Ok(None)
}

/// Whether the board looks otherwise to the player who makes these turns.
fn has_two_orientations(game: &dyn Explore, position: &str, seat: Seat) -> Result<bool, Error> {
    for (turn, _) in some_turns(game, position)? {
        if turn_on_board(game, position, seat, &turn)? != turn {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Turns of a position: all of a game with two orientations.
fn some_turns(game: &dyn Explore, position: &str) -> Result<impl Iterator<Item = (String, String)>, Error> {
    let limits = SearchLimits { nodes: MOST as u64, time: Duration::ZERO, depth: None };
    Ok(game.turns_within(position, &limits)?.0.into_iter().take(MOST))
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
    read_all(game, position, to_move, words, read_turn)
}

/// The same for a record, whose turns all name squares in the same way.
///
/// # Errors
/// As [`read_turns`].
pub fn read_record(
    game: &dyn Explore,
    position: &str,
    to_move: Seat,
    words: &[String],
    coordinates: Coordinates,
) -> Result<Vec<String>, Error> {
    let of_board = || read_all(game, position, to_move, words, read_turn_on_board);
    let of_mover = || {
        read_all(game, position, to_move, words, |game, position, _, text| {
            read_turn_of_mover(game, position, text)
        })
    };
    match coordinates {
        Coordinates::Board => of_board(),
        Coordinates::Mover => of_mover(),
        // Last, a file that was put together from both.
        Coordinates::Either => {
            of_board().or_else(|_| of_mover()).or_else(|_| read_turns(game, position, to_move, words))
        }
    }
}

/// Reads a turn in one of the ways above: in its maker's words, and the position after it.
type ReadTurn = fn(&dyn Explore, &str, Seat, &str) -> Result<(String, String), Error>;

fn read_all(
    game: &dyn Explore,
    position: &str,
    to_move: Seat,
    words: &[String],
    read: ReadTurn,
) -> Result<Vec<String>, Error> {
    let mut turns = Vec::new();
    let mut here = game.canonical(position)?;
    let mut seat = game.to_move(&here, to_move)?;
    let mut rest = words;
    while let [word, after @ ..] = rest {
        let joined = after.first().map(|second| format!("{word} {second}"));
        let pair = joined.and_then(|text| read(game, &here, seat, &text).ok());
        let (turn, next) = match pair {
            Some(played) => {
                rest = &after[1..];
                played
            }
            None => {
                rest = after;
                let number = turns.len() + 1;
                read(game, &here, seat, word).map_err(|error| match error {
                    Error::Text(error) => Error::Turn { number, error },
                    error => error,
                })?
            }
        };
        turns.push(turn);
        here = next;
        seat = game.to_move(&here, seat.other())?;
    }
    Ok(turns)
}
