//! Turns as people type them: by the board they look at, or as the player who makes them sees it.
//!
//! `line`, `play` and pictures keep the first player's orientation, while the text of a turn is its
//! maker's: in TouchDown the second player's `a1a2` is `d4d3` on the board. A user who copies a
//! line from the screen into a command must not get an error, so both are read. A record, whose
//! turns all come from one hand, is read in one of them as a whole (docs/records.md).

use std::borrow::Cow;
use std::collections::VecDeque;
use std::time::Duration;

use retrograde_game::{Seat, TextError};
use serde::Deserialize;

use crate::query::written::{squeezed, variants, words_of};
use crate::{Error, OpenGame, SearchLimits};

/// Words of the longest turn that is read from a line with several turns.
const MOST_WORDS: usize = 8;

/// Results at the end of a record.
const RESULTS: [&str; 7] = ["1-0", "0-1", "1/2-1/2", "½-½", "1/2", "½", "*"];

/// More turns than any game with two orientations has; others (a board of Push Fight) have but one.
const MOST: usize = 4096;

/// A turn as it looks on the board of the first player.
///
/// # Errors
/// If it cannot be read or is not legal.
pub fn turn_on_board(game: &OpenGame, position: &str, seat: Seat, turn: &str) -> Result<String, Error> {
    let scenes = game.scenes(position, seat, &[turn.to_owned()])?;
    Ok(scenes.into_iter().next().and_then(|scene| scene.turn).unwrap_or_else(|| turn.to_owned()))
}

/// How written turns name squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(feature = "description", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Coordinates {
    /// All turns as the first player sees the board.
    Board,
    /// Each turn as the player who makes it sees it.
    Mover,
    /// Unknown: `board` if all turns are legal that way, else `mover`.
    Either,
}

/// A turn in its maker's words and the position after it. The text may be in both coordinates, of which
/// its maker's are tried first, and may be written otherwise than Retrograde writes it.
///
/// # Errors
/// If it can be read in neither way.
pub fn read_turn(game: &OpenGame, position: &str, seat: Seat, text: &str) -> Result<(String, String), Error> {
    let failed = match read_exactly(game, position, seat, text) {
        Err(error @ Error::Text(_)) => error,
        read => return read,
    };
    if let Some(read) = read_variant(game, position, text) {
        return Ok(read);
    }
    match seat {
        Seat::First => Err(failed),
        Seat::Second => Ok(find_on_board(game, position, seat, text)?.similar.ok_or(failed)?),
    }
}

/// The same for a text that has to be as Retrograde writes it.
fn read_exactly(game: &OpenGame, position: &str, seat: Seat, text: &str) -> Result<(String, String), Error> {
    let failed = match read_turn_of_mover(game, position, text) {
        Ok(played) => return Ok(played),
        Err(error) => error,
    };
    match seat {
        Seat::First => Err(failed),
        Seat::Second => Ok(find_on_board(game, position, seat, text)?.exact.ok_or(failed)?),
    }
}

/// A turn in the coordinates of the board, in its maker's words, and the position after it. It may be
/// written otherwise than Retrograde writes it.
///
/// # Errors
/// If there is no such turn.
pub fn read_turn_on_board(
    game: &OpenGame,
    position: &str,
    seat: Seat,
    text: &str,
) -> Result<(String, String), Error> {
    let failed = match read_exactly_on_board(game, position, seat, text) {
        Err(error @ Error::Text(_)) => error,
        read => return read,
    };
    if seat == Seat::Second
        && let Some(found) = find_on_board(game, position, seat, text)?.similar
    {
        return Ok(found);
    }
    let read = read_variant(game, position, text).ok_or(failed)?;
    match seat == Seat::First || turn_on_board(game, position, seat, &read.0)? == read.0 {
        true => Ok(read),
        false => Err(not_on_board(text)),
    }
}

/// The same for a text that has to be as Retrograde writes it.
fn read_exactly_on_board(
    game: &OpenGame,
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
    if let Some(found) = find_on_board(game, position, seat, text)?.exact {
        return Ok(found);
    }
    if !has_two_orientations(game, position, seat)? {
        return played;
    }
    match played {
        Ok(_) => Err(not_on_board(text)),
        failed => failed,
    }
}

fn not_on_board(text: &str) -> Error {
    TextError::impossible("turn", text, "it is no turn on this board").into()
}

/// Reads a turn as the player who makes it writes it.
fn read_turn_of_mover(game: &OpenGame, position: &str, text: &str) -> Result<(String, String), Error> {
    game.play(position, text).map(|(next, _)| (text.to_owned(), next))
}

/// Reads a turn from its [variants]; `None` if none of them is a turn, or if two are different turns.
fn read_variant(game: &OpenGame, position: &str, text: &str) -> Option<(String, String)> {
    let read = variants(text).into_iter().filter_map(|text| read_turn_of_mover(game, position, &text).ok());
    only_one(read)
}

/// The first turn, if all of them lead to the same position.
fn only_one(turns: impl IntoIterator<Item = (String, String)>) -> Option<(String, String)> {
    let mut turns = turns.into_iter();
    let first = turns.next()?;
    turns.all(|(_, next)| next == first.1).then_some(first)
}

/// Turns that look like a text on the board of the first player.
struct OnBoard {
    /// The turn with this text.
    exact: Option<(String, String)>,
    /// The only turn whose text differs in nothing but case, blanks, dashes and arrows.
    similar: Option<(String, String)>,
}

fn find_on_board(game: &OpenGame, position: &str, seat: Seat, text: &str) -> Result<OnBoard, Error> {
    let mut similar = Vec::new();
    let squeezed_text = squeezed(text);
    for (turn, next) in some_turns(game, position)? {
        let shown = turn_on_board(game, position, seat, &turn)?;
        if shown == text {
            return Ok(OnBoard { exact: Some((turn, next)), similar: None });
        }
        if squeezed(&shown) == squeezed_text {
            similar.push((turn, next));
        }
    }
    Ok(OnBoard { exact: None, similar: only_one(similar) })
}

/// Whether the board looks otherwise to the player who makes these turns.
fn has_two_orientations(game: &OpenGame, position: &str, seat: Seat) -> Result<bool, Error> {
    for (turn, _) in some_turns(game, position)? {
        if turn_on_board(game, position, seat, &turn)? != turn {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Turns of a position: all of a game with two orientations.
fn some_turns(game: &OpenGame, position: &str) -> Result<impl Iterator<Item = (String, String)>, Error> {
    let limits = SearchLimits { nodes: MOST as u64, time: Duration::ZERO, depth: None };
    Ok(game.turns_within(position, &limits)?.0.into_iter().take(MOST))
}

/// Turns of a game from a position on, in which `to_move` is to move, in their makers' words. What
/// is given may be halves of turns: a placement in Push Fight is written with a blank.
///
/// # Errors
/// The first that cannot be read or is not legal: which one.
pub fn read_turns(
    game: &OpenGame,
    position: &str,
    to_move: Seat,
    words: &[String],
) -> Result<Vec<String>, Error> {
    read_all(game, position, to_move, words, (read_exactly, read_turn))
}

/// The same for a record, whose turns all name squares in the same way.
///
/// # Errors
/// As [`read_turns`].
pub fn read_record(
    game: &OpenGame,
    position: &str,
    to_move: Seat,
    words: &[String],
    coordinates: Coordinates,
) -> Result<Vec<String>, Error> {
    let of_board = || read_all(game, position, to_move, words, (read_exactly_on_board, read_turn_on_board));
    let of_mover = || {
        // Every turn is read as the player to move, who is the first in his own eyes, sees the board.
        let ways: Ways = (
            |game, position, _, text| read_exactly(game, position, Seat::First, text),
            |game, position, _, text| read_turn(game, position, Seat::First, text),
        );
        read_all(game, position, to_move, words, ways)
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
type ReadTurn = fn(&OpenGame, &str, Seat, &str) -> Result<(String, String), Error>;

/// Ways to read a turn: as Retrograde writes it, and as people write it.
type Ways = (ReadTurn, ReadTurn);

/// Reads texts, each with a turn, a half of one, or several as a line of a record has them.
fn read_all(
    game: &OpenGame,
    position: &str,
    to_move: Seat,
    texts: &[String],
    (exactly, freely): Ways,
) -> Result<Vec<String>, Error> {
    let mut turns = Vec::new();
    let mut here = game.canonical(position)?;
    let mut seat = game.to_move(&here, to_move)?;
    let mut rest: VecDeque<Cow<'_, str>> = texts.iter().map(|text| text.as_str().into()).collect();
    while let Some(text) = rest.pop_front() {
        let pair = rest.front().map(|second| format!("{text} {second}"));
        let pair = pair.and_then(|pair| exactly(game, &here, seat, &pair).ok());
        if pair.is_some() {
            rest.pop_front();
        }
        let read = pair.or_else(|| exactly(game, &here, seat, &text).ok());
        let (turn, next) = match read {
            Some(read) => read,
            None => {
                let words = words_of(&text);
                if words != [&*text] {
                    words.into_iter().rev().for_each(|word| rest.push_front(word.to_owned().into()));
                    continue;
                }
                if rest.is_empty() && RESULTS.contains(&&*text) {
                    break;
                }
                match freely(game, &here, seat, &text) {
                    Ok(read) => read,
                    Err(error) => {
                        read_words(game, (&here, seat), &text, &mut rest, freely).ok_or(match error {
                            Error::Text(error) => Error::Turn { number: turns.len() + 1, error },
                            error => error,
                        })?
                    }
                }
            }
        };
        turns.push(turn);
        here = next;
        seat = game.to_move(&here, seat.other())?;
    }
    Ok(turns)
}

/// Reads a turn that is several words, as few as may be, and takes them.
fn read_words(
    game: &OpenGame,
    (position, seat): (&str, Seat),
    first: &str,
    rest: &mut VecDeque<Cow<'_, str>>,
    read: ReadTurn,
) -> Option<(String, String)> {
    let mut text = first.to_owned();
    for (number, word) in (1..).zip(rest.iter().take(MOST_WORDS - 1)) {
        text = format!("{text} {word}");
        if let Ok(read) = read(game, position, seat, &text) {
            rest.drain(..number);
            return Some(read);
        }
    }
    None
}
