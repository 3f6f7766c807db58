//! The names of games: `NAME[:BOARD][,key[=value]]…`, as in `tactics:5x4,line=3,normal`.
//!
//! This module parses the form; games interpret boards and keys. A game takes them out one by one
//! and then calls [`GameSpec::finish`], which rejects the rest.

use std::cell::Cell;

use super::error::TextError;
use super::list::joined;

/// The extension of board files.
const BOARD_FILE: &str = ".board";

/// The name of a board file without its extension, in any case; `None` if it is not a board file.
pub fn board_file_stem(name: &str) -> Option<&str> {
    let (stem, ending) = name.split_at_checked(name.len().checked_sub(BOARD_FILE.len())?)?;
    ending.eq_ignore_ascii_case(BOARD_FILE).then_some(stem)
}

/// A parsed name of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSpec {
    text: String,
    name: String,
    board: Option<String>,
    /// Whether the game read the board.
    board_read: Cell<bool>,
    keys: Vec<(String, Option<String>)>,
}

impl GameSpec {
    /// Parses the form of a name.
    ///
    /// # Errors
    /// If a part is empty or a key appears twice.
    pub fn parse(text: &str) -> Result<GameSpec, TextError> {
        let (head, tail) = match text.split_once(',') {
            Some((head, tail)) => (head, Some(tail)),
            None => (text, None),
        };
        let (name, board) = match head.split_once(':') {
            Some((name, board)) => (name, Some(board)),
            None => (head, None),
        };
        if name.is_empty() {
            return Err(TextError::unexpected("game", text, 0, "the name of a game"));
        }
        if board == Some("") {
            let at = text.chars().position(|c| c == ':').map_or(0, |colon| colon + 1);
            return Err(TextError::unexpected("game", text, at, "a size or a board after the colon"));
        }
        let mut keys: Vec<(String, Option<String>)> = Vec::new();
        for part in tail.iter().flat_map(|tail| tail.split(',')) {
            let (key, value) = match part.split_once('=') {
                Some((key, value)) => (key, Some(value.to_owned())),
                None => (part, None),
            };
            if key.is_empty() {
                return Err(TextError::impossible(
                    "game",
                    text,
                    "an option is missing before or after a comma",
                ));
            }
            if keys.iter().any(|(known, _)| known == key) {
                return Err(TextError::impossible("game", text, format!("the option `{key}` appears twice")));
            }
            keys.push((key.to_owned(), value));
        }
        Ok(GameSpec {
            text: text.to_owned(),
            name: name.to_owned(),
            board: board.map(str::to_owned),
            board_read: Cell::new(false),
            keys,
        })
    }

    /// The name before the colon.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The part between the colon and the first comma.
    pub fn board(&self) -> Option<&str> {
        self.board_read.set(true);
        self.board.as_deref()
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// An error about this name; `reason` completes "game “…”: ".
    pub fn error(&self, reason: impl Into<String>) -> TextError {
        TextError::impossible("game", &self.text, reason)
    }

    /// Removes a key without a value, such as `normal`, and returns whether it was there.
    ///
    /// # Errors
    /// If it has a value.
    pub fn take_flag(&mut self, key: &str) -> Result<bool, TextError> {
        match self.keys.iter().position(|(known, _)| known == key) {
            None => Ok(false),
            Some(place) => match self.keys.remove(place).1 {
                None => Ok(true),
                Some(value) => Err(self.error(format!("`{key}` takes no value, found `={value}`"))),
            },
        }
    }

    /// Removes a key with a value, such as `line=3`, and returns the value.
    ///
    /// # Errors
    /// If it has no value.
    pub fn take_value(&mut self, key: &str) -> Result<Option<String>, TextError> {
        match self.keys.iter().position(|(known, _)| known == key) {
            None => Ok(None),
            Some(place) => match self.keys.remove(place).1 {
                Some(value) if !value.is_empty() => Ok(Some(value)),
                _ => Err(self.error(format!("`{key}` needs a value, as in `{key}=3`"))),
            },
        }
    }

    /// Removes a key whose value is a whole number in a range, and returns the number.
    ///
    /// # Errors
    /// If it has no value, or one that is not a number or is out of range.
    pub fn take_number(
        &mut self,
        key: &str,
        range: std::ops::RangeInclusive<u32>,
    ) -> Result<Option<u32>, TextError> {
        let Some(value) = self.take_value(key)? else { return Ok(None) };
        match value.parse() {
            Ok(number) if range.contains(&number) => Ok(Some(number)),
            _ => Err(self.error(format!(
                "`{key}` must be a whole number from {} to {}, not `{value}`",
                range.start(),
                range.end()
            ))),
        }
    }

    /// The board as a grid, `WxH`, both from 1 to `most`; `default` if there is no board.
    ///
    /// # Errors
    /// If it is not of that form or too large.
    pub fn grid(&self, default: (u32, u32), most: u32) -> Result<(u32, u32), TextError> {
        let Some(board) = self.board() else { return Ok(default) };
        let side = |side: &str| {
            side.parse::<u32>()
                .ok()
                .filter(|n| (1..=most).contains(n) && side.bytes().all(|b| b.is_ascii_digit()))
        };
        board.split_once('x').and_then(|(w, h)| Some((side(w)?, side(h)?))).ok_or_else(|| {
            self.error(format!(
                "a size must be columns x rows, as in `{}x{}`, each from 1 to {most}, not `{board}`",
                default.0, default.1
            ))
        })
    }

    /// Checks that the board was read and all keys were taken. `known` lists the keys of the game,
    /// for the message.
    ///
    /// # Errors
    /// If a board or a key is left.
    pub fn finish(self, known: &[&str]) -> Result<(), TextError> {
        if let Some(board) = self.board.as_ref().filter(|_| !self.board_read.get()) {
            return Err(self.error(format!("`{}` has only one board, but `{board}` is given", self.name)));
        }
        match self.keys.first() {
            None => Ok(()),
            Some((key, _)) if known.is_empty() => {
                Err(self.error(format!("unknown option `{key}`; `{}` has no options", self.name)))
            }
            Some((key, _)) => {
                let known: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
                let known = joined(&known, "and");
                Err(self.error(format!("unknown option `{key}`; `{}` has {known}", self.name)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_a_name() {
        let mut spec = GameSpec::parse("tactics:5x4,line=3,normal").unwrap();
        assert_eq!(spec.name(), "tactics");
        assert_eq!(spec.grid((4, 4), 9).unwrap(), (5, 4));
        assert!(spec.take_flag("normal").unwrap());
        assert!(!spec.take_flag("normal").unwrap());
        assert_eq!(spec.take_number("line", 1..=9).unwrap(), Some(3));
        spec.finish(&["line", "normal"]).unwrap();
    }

    #[test]
    fn unread_boards_are_rejected() {
        let error = GameSpec::parse("chomp:3x3").unwrap().finish(&[]).unwrap_err().to_string();
        assert!(error.contains("only one board, but `3x3` is given"), "{error}");
        GameSpec::parse("chomp").unwrap().finish(&[]).unwrap();
    }

    #[test]
    fn bad_names_are_rejected_with_a_reason() {
        for (text, reason) in [
            ("", "ends too early"),
            (":4x4", "expected the name"),
            ("tactics:", "a size or a board"),
            ("tactics,", "an option is missing"),
            ("tactics,line=3,line=4", "appears twice"),
        ] {
            let error = GameSpec::parse(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        for board in ["4", "x", "4x", "x4", "0x4", "4x-1", "+4x4", "4x4x4", "99999999999x1", "10x1"] {
            let spec = GameSpec::parse(&format!("tactics:{board}")).unwrap();
            assert!(spec.grid((4, 4), 9).is_err(), "{board}");
        }
        let mut spec = GameSpec::parse("tactics,normal=1,line").unwrap();
        assert!(spec.clone().take_flag("normal").unwrap_err().to_string().contains("takes no value"));
        assert!(spec.take_value("line").unwrap_err().to_string().contains("needs a value"));
        let error = GameSpec::parse("tactics,lines=3").unwrap().finish(&["line"]).unwrap_err().to_string();
        assert!(error.contains("unknown option `lines`") && error.contains("`line`"), "{error}");
    }
}
