//! Board files: lines `key = value` for everything that a drawing cannot express, then the drawing.

use retrograde_game::{GridSquare, TextError, clean_text};

use crate::Drawing;
use crate::board::drawing::error_at;
use crate::board::in_half;
use crate::piece_counts::read_counts;

/// The contents of a `.board` file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardFile {
    /// The board with its pieces.
    pub drawing: Drawing,
    /// The name, from letters, digits, `-` and `_`.
    pub name: Option<String>,
    /// The number of pushers of the player who begins, and of the other.
    pub pushers: Option<[u32; 2]>,
    /// The number of pawns of the player who begins, and of the other.
    pub pawns: Option<[u32; 2]>,
    /// Moves per turn, as in the name of a game: a number or `unlimited`.
    pub moves: Option<String>,
    /// The squares on which each side places its pieces, if specified.
    pub places: [Option<Vec<GridSquare>>; 2],
}

impl BoardFile {
    /// Parses a board file.
    ///
    /// # Errors
    /// With line and column: a line that is neither `key = value` nor part of a drawing, an unknown
    /// or repeated key, squares that are not on the board, and the errors of [`Drawing::parse`].
    pub fn parse(text: &str) -> Result<BoardFile, TextError> {
        let text = &*clean_text(text);
        let before = text.lines().take_while(|line| !line.starts_with('+')).count();
        let (mut name, mut pushers, mut pawns, mut moves) = (None, None, None, None);
        let mut lists = [None, None];
        for (number, line) in
            text.lines().take(before).enumerate().filter(|(_, line)| !line.trim().is_empty())
        {
            let error = |reason: String| error_at(text, number, 0, &reason);
            let Some((key, value)) = line.split_once('=').map(|(key, value)| (key.trim(), value.trim()))
            else {
                return Err(error(
                    "expected `key = value`, or `+` for the beginning of a drawing".to_owned(),
                ));
            };
            let counts = || {
                let reason = "must be a whole number, or two as in `3-2`, one for each side";
                read_counts(value).ok_or_else(|| error(format!("`{key}` {reason}")))
            };
            let twice = match key {
                "name" => {
                    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
                    if value.is_empty() || value.len() > 40 || !value.chars().all(plain) {
                        return Err(error("a name has at most 40 letters, digits, `-` and `_`".to_owned()));
                    }
                    name.replace(value.to_owned()).is_some()
                }
                "pushers" => pushers.replace(counts()?).is_some(),
                "pawns" => pawns.replace(counts()?).is_some(),
                "moves" => moves.replace(value.to_owned()).is_some(),
                "first" => lists[0].replace((number, value)).is_some(),
                "second" => lists[1].replace((number, value)).is_some(),
                _ => {
                    let known = "name, pushers, pawns, moves, first, second";
                    return Err(error(format!("`{key}` is not a key; expected one of {known}")));
                }
            };
            if twice {
                return Err(error(format!("`{key}` appears twice")));
            }
        }
        let drawing = Drawing::from_line(text, before)?;
        let mut places = [None, None];
        for (list, places) in lists.into_iter().zip(&mut places) {
            let Some((number, list)) = list else { continue };
            let place = |label: &str| {
                let place = drawing.labelled(label);
                place.ok_or_else(|| error_at(text, number, 0, &format!("there is no square `{label}`")))
            };
            *places = Some(list.split(',').map(|label| place(label.trim())).collect::<Result<Vec<_>, _>>()?);
        }
        let is_on = |side: usize, place: &GridSquare| match &places[side] {
            Some(list) => list.contains(place),
            None => in_half(place.column, drawing.columns(), side == 0),
        };
        if (0..2).any(|side| places[side].iter().flatten().any(|place| is_on(1 - side, place))) {
            let both = "`first` and `second` share a square";
            let without = "if only one is given, the other is its half of the grid";
            return Err(error_at(text, 0, 0, &format!("{both}; {without}")));
        }
        Ok(BoardFile { drawing, name, pushers, pawns, moves, places })
    }
}
