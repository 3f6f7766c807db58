//! Texts, pictures and planes of sets of squares.

use super::Grid;
use crate::board::{GridSquare, Picture, Piece, Square, Squares};
use crate::text::TextError;
use crate::values::Seat;

impl Grid {
    /// The name of a square: its column (a, b, …, z, aa, …) and its row, counted from below.
    #[must_use]
    pub fn name(self, square: Square) -> String {
        self.name_of(self.place(square))
    }

    /// The name of a square in a picture.
    pub(in crate::board) fn name_of(self, GridSquare { column, row }: GridSquare) -> String {
        format!("{}{}", Picture::column_label(column), self.rows() - u32::from(row))
    }

    /// The square with a name.
    #[must_use]
    pub fn named(self, name: &str) -> Option<Square> {
        self.all.into_iter().find(|&square| self.name(square) == name)
    }

    /// Parses the name of a square that begins at a character of a turn. Returns it with the place after it.
    ///
    /// # Errors
    /// If there is no such column or row.
    pub fn read_square(self, text: &str, from: usize) -> Result<(Square, usize), TextError> {
        let unexpected = |at, expected| Err(TextError::unexpected("turn", text, at, expected));
        let run = |from: usize, belongs: fn(&char) -> bool| -> String {
            text.chars().skip(from).take_while(belongs).collect()
        };
        let label = run(from, char::is_ascii_lowercase);
        let Some(column) = (0..self.columns()).find(|&column| Picture::column_label(column as u16) == label)
        else {
            let last = Picture::column_label(u16::from(self.columns) - 1);
            return unexpected(from, format!("a column from `a` to `{last}`"));
        };
        let middle = from + label.len();
        let number = run(middle, char::is_ascii_digit);
        let Some(row) = (1..=self.rows()).find(|row| row.to_string() == number) else {
            return unexpected(middle, format!("a row from 1 to {}", self.rows()));
        };
        Ok((Square(((self.rows() - row) * self.columns() + column) as u8), middle + number.len()))
    }

    /// Formats sets of squares: the rows from the top, joined by slashes. Each square has the
    /// letter of the first set that contains it, or `.`.
    #[must_use]
    pub fn text(self, letters: impl AsRef<[char]>, sets: impl AsRef<[Squares]>) -> String {
        let mut text = String::with_capacity((self.count() + self.rows()) as usize);
        for square in self.all {
            if square.0 > 0 && square.0 % self.columns == 0 {
                text.push('/');
            }
            let here = letters.as_ref().iter().zip(sets.as_ref()).find(|(_, set)| set.contains(square));
            text.push(here.map_or('.', |(letter, _)| *letter));
        }
        text
    }

    /// Parses what [`Grid::text`] formats into the squares of each letter. Slashes are optional.
    ///
    /// # Errors
    /// Reports the wrong character, its place, and what was expected.
    pub fn parse<const N: usize>(self, letters: [char; N], text: &str) -> Result<[Squares; N], TextError> {
        let mut sets = [Squares::EMPTY; N];
        self.parse_into(&mut sets, &letters, text)?;
        Ok(sets)
    }

    /// Does the same, but writes into `sets`, which must be empty.
    pub(in crate::board) fn parse_into(
        self,
        sets: &mut [Squares],
        letters: &[char],
        text: &str,
    ) -> Result<(), TextError> {
        let unexpected = |at, expected: String| Err(TextError::unexpected("position", text, at, expected));
        let slashes = text.contains('/');
        let (mut seen, mut after_slash) = (0, true);
        for (at, letter) in text.chars().enumerate() {
            if seen == self.count() {
                return unexpected(at, "the end".to_owned());
            }
            if slashes && seen % self.columns() == 0 && !after_slash {
                if letter != '/' {
                    return unexpected(at, "`/` between two rows".to_owned());
                }
                after_slash = true;
                continue;
            }
            match letters.iter().position(|known| *known == letter) {
                Some(found) => sets[found].insert(Square(seen as u8)),
                None if letter == '.' => {}
                None => return unexpected(at, one_of(letters)),
            }
            seen += 1;
            after_slash = false;
        }
        match self.count() - seen {
            0 => Ok(()),
            1 => unexpected(text.chars().count(), "1 more square".to_owned()),
            missing => unexpected(text.chars().count(), format!("{missing} more squares")),
        }
    }

    /// A picture with a piece on each square of some sets, as the first player sees them.
    #[must_use]
    pub fn picture(
        self,
        to_move: Seat,
        pieces: impl IntoIterator<Item = Piece>,
        sets: impl IntoIterator<Item = Squares>,
    ) -> Picture {
        let mut picture = Picture::grid(self.columns.into(), self.rows.into(), to_move);
        for (piece, set) in pieces.into_iter().zip(sets) {
            for square in set & self.all {
                picture.put(self.place(square), Some(piece));
            }
        }
        picture
    }

    /// Fills one 0/1 plane per set, as [`Show::planes`](crate::Show::planes) expects.
    pub fn planes(self, sets: impl IntoIterator<Item = Squares>, out: &mut [u8]) {
        for (plane, set) in out.chunks_exact_mut(self.count() as usize).zip(sets) {
            for (square, value) in plane.iter_mut().enumerate() {
                *value = u8::from(set.contains(Square(square as u8)));
            }
        }
    }

    /// Reads planes that [`Grid::planes`] filled into `sets`, which must be empty. Returns whether there is one per
    /// set and every value is 0 or 1.
    pub(in crate::board) fn planes_into(self, sets: &mut [Squares], planes: &[u8]) -> bool {
        let size = self.count() as usize;
        for (set, plane) in sets.iter_mut().zip(planes.chunks_exact(size)) {
            for (square, &value) in plane.iter().enumerate() {
                *set = if value == 1 { set.with(Square(square as u8)) } else { *set };
            }
        }
        planes.len() == sets.len() * size && planes.iter().all(|&value| value <= 1)
    }
}

/// "one of `X`, `O` or `.`"
fn one_of(letters: &[char]) -> String {
    let quoted: Vec<String> = letters.iter().map(|letter| format!("`{letter}`")).collect();
    if quoted.is_empty() { "`.`".to_owned() } else { format!("one of {} or `.`", quoted.join(", ")) }
}
