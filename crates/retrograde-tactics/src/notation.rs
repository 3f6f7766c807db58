//! Positions and turns as text: rows from the top with `X` and `_`, and the ends of a line,
//! `a4-c4`.

use retrograde_game::{Mistake, Square, Squares, TextError};

use crate::Tactics;

impl Tactics {
    /// Rows joined by `/`, or all squares in one; `X` or `1` is filled, `_`, `.` or `0` is empty.
    pub(crate) fn read_position(&self, text: &str) -> Result<Squares, TextError> {
        let plain = text.replace(['_', '0'], ".").replace('1', "X");
        let read = self.grid.parse(['X'], &plain).map(|[filled]| filled);
        read.map_err(|error| match error.mistake {
            Mistake::Unexpected { at, expected, .. } => {
                TextError::unexpected("position", text, at, expected.replace("`.`", "`_`"))
            }
            Mistake::Impossible(_) => error,
        })
    }

    pub(crate) fn write_position(&self, position: Squares) -> String {
        self.grid.text(['X', '_'], [position, !position])
    }

    /// From left to right, or from the top down. A single square has only one end.
    pub(crate) fn write_turn(&self, turn: Squares) -> String {
        let ends = [turn.0.trailing_zeros(), 63 - turn.0.leading_zeros()];
        let [first, last] = ends.map(|square| self.grid.name(Square(square as u8)));
        if ends[0] == ends[1] { first } else { format!("{first}-{last}") }
    }

    /// The ends of a line in either order, or one square.
    pub(crate) fn read_turn(&self, position: Squares, text: &str) -> Result<Squares, TextError> {
        let unexpected = |at, expected| Err(TextError::unexpected("turn", text, at, expected));
        let impossible = |reason: &str| TextError::impossible("turn", text, reason);
        let (from, end) = self.grid.read_square(text, 0)?;
        let to = match text.chars().nth(end) {
            None => from,
            Some('-') => {
                let (to, end) = self.grid.read_square(text, end + 1)?;
                if end < text.chars().count() {
                    return unexpected(end, "the end of the turn");
                }
                to
            }
            Some(_) => return unexpected(end, "`-` and the other end of the line"),
        };
        let line = self.between(from, to);
        let line = line.ok_or_else(|| impossible("the ends are not in the same row or column"))?;
        if line.len() > self.longest {
            return Err(impossible("the line is longer than the game allows"));
        }
        match (line & position).first() {
            Some(taken) => Err(impossible(&format!("{} is filled already", self.grid.name(taken)))),
            None => Ok(line),
        }
    }
}
