//! Parses turns as people type them: in the coordinates of the board or of the mover.
//!
//! `line`, `play` and pictures keep the first player's orientation, while the text of a turn is in
//! the mover's coordinates: in TouchDown the second player's `a1a2` is `d4d3` on the board. Users
//! copy lines from the screen into commands, so both are accepted. A record uses one of them
//! throughout (docs/records.md).

use std::borrow::Cow;
use std::collections::VecDeque;
use std::time::Duration;

use retrograde_game::{Seat, TextError};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::game::rules::{Position, Turn};
use crate::query::budget::Budget;
use crate::query::turns::{list_turns, replay};
use crate::query::written::{self, squeezed, variants, words_of};
use crate::{Error, OpenGame, SearchLimits};

/// The maximum number of words of a turn in a line with several turns.
const MAX_WORDS: usize = 8;

/// Results at the end of a record.
const RESULTS: [&str; 7] = ["1-0", "0-1", "1/2-1/2", "½-½", "1/2", "½", "*"];

/// More turns than any game with two orientations has. Games with more turns (Push Fight) have one
/// orientation.
const MAX_TURNS: usize = 4096;

/// Converts a turn to the coordinates of the board.
///
/// # Errors
/// If it is invalid or not legal.
pub fn turn_on_board(game: &OpenGame, position: &str, seat: Seat, turn: &str) -> Result<String, Error> {
    let (played, _) = replay(game, position, &[turn.to_owned()])?;
    let rules = &*game.entry.game;
    let (position, turn) = &played[0];
    Ok(rules.turn_on_board(position, turn, rules.seat(position).unwrap_or(seat)))
}

/// How written turns name squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Coordinates {
    /// All turns as the first player sees the board.
    Board,
    /// Each turn as the player who makes it sees it.
    Mover,
    /// Unknown: `board` if all turns are legal that way, else `mover`.
    Either,
}

/// A turn in the mover's coordinates, and the position after it.
type Read = (String, String);

/// Parses a turn and returns it in the mover's coordinates, with the position after it. The text may have the
/// coordinates of the mover or of the board, the mover's taking precedence; if it is `on_board`, only the
/// board's. Other spellings than Retrograde's are accepted.
///
/// # Errors
/// If there is no such legal turn.
pub fn read_turn(
    game: &OpenGame,
    position: &str,
    seat: Seat,
    text: &str,
    on_board: bool,
) -> Result<Read, Error> {
    let failed = match read_exactly(game, position, seat, text, on_board) {
        Err(error @ Error::Text(_)) => error,
        read => return read,
    };
    let similar = || match seat {
        Seat::First => Ok(None),
        Seat::Second => find_on_board(game, position, seat, text).map(|found| found.similar),
    };
    if !on_board {
        let read = read_variant(game, position, text);
        return read.map_or_else(|| similar()?.ok_or(failed), Ok);
    }
    if let Some(found) = similar()? {
        return Ok(found);
    }
    let read = read_variant(game, position, text).ok_or(failed)?;
    match seat == Seat::First || turn_on_board(game, position, seat, &read.0)? == read.0 {
        true => Ok(read),
        false => Err(not_on_board(text)),
    }
}

/// The same, but only in Retrograde's spelling.
fn read_exactly(
    game: &OpenGame,
    position: &str,
    seat: Seat,
    text: &str,
    on_board: bool,
) -> Result<Read, Error> {
    let played = read_turn_of_mover(game, position, text);
    // Most games have one orientation, and the text may differ from the printed one.
    let is_certain = || Ok::<_, Error>(!on_board || turn_on_board(game, position, seat, text)? == text);
    if seat == Seat::First || played.is_ok() && is_certain()? {
        return played;
    }
    if let Some(found) = find_on_board(game, position, seat, text)?.exact {
        return Ok(found);
    }
    if played.is_ok() && has_two_orientations(game, position, seat)? {
        return Err(not_on_board(text));
    }
    played
}

fn not_on_board(text: &str) -> Error {
    TextError::impossible("turn", text, "it is not a turn on this board").into()
}

/// Parses a turn in the mover's coordinates.
fn read_turn_of_mover(game: &OpenGame, position: &str, text: &str) -> Result<Read, Error> {
    game.play(position, text).map(|(next, _)| (text.to_owned(), next))
}

/// Parses a turn from its [variants]. Returns `None` if no variant is a turn, or if two are
/// different turns.
fn read_variant(game: &OpenGame, position: &str, text: &str) -> Option<Read> {
    let read = variants(text).into_iter().filter_map(|text| read_turn_of_mover(game, position, &text).ok());
    only_one(read)
}

/// The first turn, if all of them lead to the same position.
fn only_one(turns: impl IntoIterator<Item = Read>) -> Option<Read> {
    let mut turns = turns.into_iter();
    let first = turns.next()?;
    turns.all(|(_, next)| next == first.1).then_some(first)
}

/// Turns that match a text in the coordinates of the board.
struct OnBoard {
    /// The turn with this text.
    exact: Option<Read>,
    /// The only turn whose text differs only in case, whitespace, dashes and arrows.
    similar: Option<Read>,
}

fn find_on_board(game: &OpenGame, position: &str, seat: Seat, text: &str) -> Result<OnBoard, Error> {
    let mut similar = Vec::new();
    let squeezed_text = squeezed(text);
    for (shown, turn) in some_turns(game, position, seat)? {
        if shown == text {
            return Ok(OnBoard { exact: Some(turn), similar: None });
        }
        if squeezed(&shown) == squeezed_text {
            similar.push(turn);
        }
    }
    Ok(OnBoard { exact: None, similar: only_one(similar) })
}

/// Whether the mover sees the board in another orientation.
fn has_two_orientations(game: &OpenGame, position: &str, seat: Seat) -> Result<bool, Error> {
    Ok(some_turns(game, position, seat)?.into_iter().any(|(shown, (turn, _))| shown != turn))
}

/// Some turns of a position in the coordinates of the board, each with the turn in the mover's coordinates and the
/// position after it; all turns for games with two orientations.
fn some_turns(game: &OpenGame, position: &str, seat: Seat) -> Result<Vec<(String, Read)>, Error> {
    let limits = SearchLimits { nodes: MAX_TURNS as u64, time: Duration::ZERO, depth: None };
    let rules = &*game.entry.game;
    let position = written::position(rules, position)?;
    let seat = rules.seat(&position).unwrap_or(seat);
    let (turns, _) = list_turns(game, &position, &Budget::new(&limits))?;
    let shown = |(text, turn, next): (String, Turn, Position)| {
        (rules.turn_on_board(&position, &turn, seat), (text, rules.position_text(&next)))
    };
    Ok(turns.into_iter().take(MAX_TURNS).map(shown).collect())
}

/// Parses the turns of a game from a position in which `to_move` is to move, and returns them in
/// the mover's coordinates. A text may be half a turn: a placement in Push Fight contains a space. The turns of
/// a record all have the same coordinates; without any, each is parsed by itself as [`read_turn`] does.
///
/// # Errors
/// If a turn is invalid or not legal. The error names the first one, in the coordinates in which more turns are
/// legal.
pub fn read_turns(
    game: &OpenGame,
    position: &str,
    to_move: Seat,
    words: &[String],
    coordinates: Option<Coordinates>,
) -> Result<Vec<String>, Error> {
    let read = |as_first, on_board| read_all(game, position, to_move, words, (as_first, on_board));
    let of_board = || read(false, true);
    // Every turn is parsed from the perspective of the side to move, who counts as first.
    let of_mover = || read(true, false);
    match coordinates {
        None => read(false, false),
        Some(Coordinates::Board) => of_board(),
        Some(Coordinates::Mover) => of_mover(),
        // Never both kinds in one record: an illegal turn would be read as another one.
        Some(Coordinates::Either) => {
            of_board().or_else(|error| of_mover().map_err(|other| later(error, other)))
        }
    }
}

/// The error of the two that is about a later turn: until there, the record was read as it was meant.
fn later(of_board: Error, of_mover: Error) -> Error {
    let number = |error: &Error| if let Error::Turn { number, .. } = error { *number } else { 0 };
    if number(&of_mover) > number(&of_board) { of_mover } else { of_board }
}

/// Parses texts with a turn, half a turn, or several turns as in a line of a record.
fn read_all(
    game: &OpenGame,
    position: &str,
    to_move: Seat,
    texts: &[String],
    (as_first, on_board): (bool, bool),
) -> Result<Vec<String>, Error> {
    let mut turns = Vec::new();
    let mut here = game.canonical(position)?;
    let mut seat = game.to_move(&here, to_move)?;
    let mut rest: VecDeque<Cow<'_, str>> = texts.iter().map(|text| text.as_str().into()).collect();
    while let Some(text) = rest.pop_front() {
        let reader = if as_first { Seat::First } else { seat };
        let pair = rest.front().map(|second| format!("{text} {second}"));
        let pair = pair.and_then(|pair| read_exactly(game, &here, reader, &pair, on_board).ok());
        if pair.is_some() {
            rest.pop_front();
        }
        let read = pair.or_else(|| read_exactly(game, &here, reader, &text, on_board).ok());
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
                match read_turn(game, &here, reader, &text, on_board) {
                    Ok(read) => read,
                    Err(error) => read_words(game, (&here, reader, on_board), &text, &mut rest)
                        .ok_or(error.of_turn(turns.len() + 1))?,
                }
            }
        };
        turns.push(turn);
        here = next;
        seat = game.to_move(&here, seat.other())?;
    }
    Ok(turns)
}

/// Parses a turn from as few words as possible and consumes them.
fn read_words(
    game: &OpenGame,
    (position, seat, on_board): (&str, Seat, bool),
    first: &str,
    rest: &mut VecDeque<Cow<'_, str>>,
) -> Option<Read> {
    let mut text = first.to_owned();
    for (number, word) in (1..).zip(rest.iter().take(MAX_WORDS - 1)) {
        text = format!("{text} {word}");
        if let Ok(read) = read_turn(game, position, seat, &text, on_board) {
            rest.drain(..number);
            return Some(read);
        }
    }
    None
}
