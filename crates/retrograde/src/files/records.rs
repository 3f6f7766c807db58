//! Records: files with the turns of a game. docs/records.md describes the format, which the
//! explorer shares.

use retrograde_explore::{Coordinates, OpenGame};
use retrograde_game::{Seat, clean_text};

use crate::program::args::player_of_word;
use crate::program::context::Context;
use crate::program::exit::BoxError;

/// The contents of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    /// The name of the game, or any other text of the first line.
    pub game: Option<String>,
    /// The coordinates of the turns.
    pub coordinates: Coordinates,
    /// The first position, seen by the side to move; `None` is the start of the game.
    pub position: Option<String>,
    /// The side to move in the first position.
    pub to_move: Seat,
    /// The lines with turns, without comments. A line may contain several turns, numbers and marks.
    pub turns: Vec<String>,
}

impl Record {
    /// Parses a record.
    ///
    /// # Errors
    /// If a header line is invalid.
    pub(crate) fn parse(text: &str) -> Result<Record, BoxError> {
        let mut record = Record {
            game: None,
            coordinates: Coordinates::Either,
            position: None,
            to_move: Seat::First,
            turns: Vec::new(),
        };
        let mut in_comment = false;
        for (number, line) in clean_text(text).lines().enumerate() {
            match line.trim().strip_prefix('#').filter(|_| !in_comment) {
                Some(comment) if record.turns.is_empty() => {
                    let read = record.read_header(comment.trim(), number == 0);
                    read.map_err(|reason| format!("line {}: {reason}", number + 1))?;
                }
                Some(_) => {}
                None => {
                    let line = without_comments(line, &mut in_comment);
                    if record.turns.is_empty() && starts_with_second_player(&line) {
                        record.to_move = Seat::Second;
                    }
                    record.turns.extend(turns_in(&line));
                }
            }
        }
        Ok(record)
    }

    /// Reads a header line.
    fn read_header(&mut self, comment: &str, is_first: bool) -> Result<(), String> {
        if let Some(position) = comment.strip_prefix("from ") {
            self.position = Some(position.trim().to_owned());
        } else if let Some(word) = comment.strip_prefix("coordinates:") {
            self.coordinates = match word.trim() {
                "board" => Coordinates::Board,
                "mover" => Coordinates::Mover,
                word => return Err(format!("coordinates must be `board` or `mover`, not “{word}”")),
            };
        } else if let Some(word) = comment.strip_prefix("to move:") {
            let word = word.trim();
            self.to_move = player_of_word(word)
                .ok_or_else(|| format!("the player must be `red` or `blue`, not “{word}”"))?;
        } else if is_first {
            self.game = Some(comment.to_owned());
        }
        Ok(())
    }

    /// Rejects a record of another game. Names that are unknown here, such as a board file stored
    /// elsewhere, are accepted.
    pub(crate) fn reject_other_game(&self, context: &Context, game: &OpenGame) -> Result<(), BoxError> {
        let named = self.game.as_deref().and_then(|name| context.subject(name).ok());
        match named.map(|subject| subject.about().game) {
            Some(other) if other != game.name() => {
                Err(format!("this is a game of {other}, not of {}", game.name()).into())
            }
            _ => Ok(()),
        }
    }

    /// The text of the file.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("# {}\n", self.game.as_deref().unwrap_or_default());
        match self.coordinates {
            Coordinates::Board => text.push_str("# coordinates: board\n"),
            Coordinates::Mover => text.push_str("# coordinates: mover\n"),
            Coordinates::Either => {}
        }
        if let Some(position) = &self.position {
            text.push_str(&format!("# from {position}\n"));
        }
        if self.to_move == Seat::Second {
            text.push_str("# to move: blue\n");
        }
        for turn in &self.turns {
            text.push_str(turn);
            text.push('\n');
        }
        text
    }
}

/// Removes comments: `{…}`, which may span lines, and everything from `#` or `;` to the end. PGN
/// tags such as `[Event "…"]` are comments too.
fn without_comments(line: &str, in_comment: &mut bool) -> String {
    let mut text = String::new();
    for c in line.chars() {
        match c {
            '}' if *in_comment => *in_comment = false,
            _ if *in_comment => {}
            '{' => *in_comment = true,
            '#' | ';' => break,
            _ => text.push(c),
        }
    }
    let text = text.trim();
    let is_tag = text.starts_with('[') && text.ends_with("\"]");
    if is_tag { String::new() } else { text.to_owned() }
}

/// Whether a line starts with the number of a second player's turn: `1... d4d3`.
fn starts_with_second_player(line: &str) -> bool {
    let after = line.trim_start_matches(|c: char| c.is_ascii_digit());
    after.len() < line.len() && (after.starts_with("...") || after.starts_with('…'))
}

/// The turns of a line, without numbers and marks.
fn turns_in(line: &str) -> Option<String> {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let turn = match line[digits..].strip_prefix('.') {
        Some(rest) if digits > 0 => rest.trim_start_matches('.'),
        _ if digits > 0 && line[digits..].starts_with('…') => line[digits..].trim_start_matches('…'),
        _ => line,
    };
    let turn = turn.trim().trim_end_matches(['!', '?']).trim_end();
    (!turn.is_empty()).then(|| turn.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_back() {
        let record = Record {
            game: Some("touchdown:4x4".to_owned()),
            coordinates: Coordinates::Board,
            position: Some("...O/..O./..../.XX.".to_owned()),
            to_move: Seat::Second,
            turns: vec!["a1a2".to_owned(), "O:a2,b1 o:b2,c1".to_owned()],
        };
        assert_eq!(Record::parse(&record.text()).unwrap(), record);
        let plain = Record { position: None, to_move: Seat::First, ..record };
        assert_eq!(
            plain.text(),
            "# touchdown:4x4\n# coordinates: board\na1a2\nO:a2,b1 o:b2,c1\n",
            "no line more than is needed"
        );
    }

    #[test]
    fn numbers_marks_and_comments_are_skipped() {
        let text = "\u{feff}# a game\r\n\n1. a1a2!  # Red\r\n 2.d4d3 ?!\n# from later on this is a comment\n3. b1b2?\n";
        let record = Record::parse(text).unwrap();
        assert_eq!(record.turns, ["a1a2", "d4d3", "b1b2"]);
        assert_eq!((record.coordinates, record.position), (Coordinates::Either, None));
        let text = "[Event \"x\"]\r{ said\rbefore } 1. a1a2 {good} d4d3 ; so far\r2.b1b2 c4c3 1-0\r";
        assert_eq!(Record::parse(text).unwrap().turns, ["a1a2  d4d3", "b1b2 c4c3 1-0"]);
        for text in ["1... d4d3\n", "# from here\n12… d4d3\n13. a1a2\n"] {
            let record = Record::parse(text).unwrap();
            assert_eq!((&record.turns[0][..], record.to_move), ("d4d3", Seat::Second));
        }
        assert_eq!(Record::parse("1. a1a2\n1... d4d3\n").unwrap().to_move, Seat::First);
        for (text, reason) in [
            ("# x\n# coordinates: mine\n", "line 2: coordinates must be `board` or `mover`, not “mine”"),
            ("# to move: white\n", "line 1: the player must be `red` or `blue`, not “white”"),
        ] {
            assert_eq!(Record::parse(text).unwrap_err().to_string(), reason);
        }
        assert_eq!(Record::parse("# TO MOVE\n# to move: Second\n").unwrap().to_move, Seat::Second);
    }
}
