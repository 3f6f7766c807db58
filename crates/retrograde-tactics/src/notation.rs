//! Positions and turns as text: rows from the top with `X` and `_`, and the ends of a line,
//! `a4-c4`.

use retrograde_game::{Picture, TextError};

use crate::{Filled, Segment, Tactics};

impl Tactics {
    /// Rows joined by `/`, or all squares in one; `X` or `1` is filled, `_`, `.` or `0` is empty.
    pub(crate) fn read_position(&self, text: &str) -> Result<Filled, TextError> {
        let wrong = |at, expected: String| Err(TextError::unexpected("position", text, at, expected));
        let slashes = text.contains('/');
        let (mut filled, mut square, mut at) = (0, 0, 0);
        for found in text.chars() {
            let row_ends = slashes && square > 0 && square % self.columns == 0;
            let row_began = at > 0 && text.chars().nth(at - 1) == Some('/');
            if square == self.squares() {
                return wrong(at, format!("the end after {square} squares"));
            }
            if row_ends && !row_began {
                if found != '/' {
                    return wrong(at, format!("`/` after {} squares", self.columns));
                }
            } else {
                match found {
                    'X' | '1' => filled |= 1 << square,
                    '_' | '.' | '0' => {}
                    _ => return wrong(at, "`X` (filled) or `_` (empty)".to_owned()),
                }
                square += 1;
            }
            at += 1;
        }
        if square < self.squares() {
            let missing = self.squares() - square;
            return wrong(at, format!("{missing} more square{}", if missing == 1 { "" } else { "s" }));
        }
        Ok(Filled(filled))
    }

    pub(crate) fn write_position(&self, position: Filled) -> String {
        let mut text = String::new();
        for square in 0..self.squares() {
            if square > 0 && square % self.columns == 0 {
                text.push('/');
            }
            text.push(if position.0 >> square & 1 == 1 { 'X' } else { '_' });
        }
        text
    }

    pub(crate) fn square_text(&self, square: u32) -> String {
        let column = Picture::column_label((square % self.columns) as u16);
        format!("{column}{}", self.rows - square / self.columns)
    }

    /// From left to right, or from the top down. A single square has only one end.
    pub(crate) fn write_turn(&self, turn: Segment) -> String {
        let (first, last) = (turn.0.trailing_zeros(), 63 - turn.0.leading_zeros());
        if first == last {
            self.square_text(first)
        } else {
            format!("{}-{}", self.square_text(first), self.square_text(last))
        }
    }

    /// A square that begins at a character; the column, the row from the top, and where it ends.
    fn read_square(&self, text: &str, from: usize) -> Result<(u32, u32, usize), TextError> {
        let chars: Vec<char> = text.chars().collect();
        let end_of = |from: usize, is: fn(&char) -> bool| {
            from + chars[from.min(chars.len())..].iter().take_while(|c| is(c)).count()
        };
        let letters = end_of(from, char::is_ascii_lowercase);
        let last_column = Picture::column_label(self.columns as u16 - 1);
        if letters == from {
            return Err(TextError::unexpected(
                "turn",
                text,
                from,
                format!("a column from a to {last_column}"),
            ));
        }
        let label: String = chars[from..letters].iter().collect();
        let column = (0..self.columns).find(|&column| Picture::column_label(column as u16) == label);
        let Some(column) = column else {
            return Err(TextError::unexpected(
                "turn",
                text,
                from,
                format!("a column from a to {last_column}"),
            ));
        };
        let digits = end_of(letters, char::is_ascii_digit);
        let number: String = chars[letters..digits].iter().collect();
        match number.parse::<u32>() {
            Ok(row) if (1..=self.rows).contains(&row) && !number.starts_with('0') => {
                Ok((column, self.rows - row, digits))
            }
            _ => Err(TextError::unexpected("turn", text, letters, format!("a row from 1 to {}", self.rows))),
        }
    }

    /// The ends of a line in either order, or one square.
    pub(crate) fn read_turn(&self, position: Filled, text: &str) -> Result<Segment, TextError> {
        let (column, row, end) = self.read_square(text, 0)?;
        let length = text.chars().count();
        let (other_column, other_row) = if end == length {
            (column, row)
        } else if text.chars().nth(end) == Some('-') {
            let (other_column, other_row, end) = self.read_square(text, end + 1)?;
            if end < length {
                return Err(TextError::unexpected("turn", text, end, "the end of the turn"));
            }
            (other_column, other_row)
        } else {
            return Err(TextError::unexpected("turn", text, end, "`-` and the other end of the line"));
        };
        if column != other_column && row != other_row {
            return Err(TextError::impossible("turn", text, "the ends are not in the same row or column"));
        }
        let mut squares = 0;
        for row in row.min(other_row)..=row.max(other_row) {
            for column in column.min(other_column)..=column.max(other_column) {
                squares |= 1 << (row * self.columns + column);
            }
        }
        if !self.is_line(squares) {
            return Err(TextError::impossible("turn", text, "the line is longer than the game allows"));
        }
        let taken = squares & position.0;
        if taken != 0 {
            let square = self.square_text(taken.trailing_zeros());
            return Err(TextError::impossible("turn", text, format!("{square} is filled already")));
        }
        Ok(Segment(squares))
    }
}
