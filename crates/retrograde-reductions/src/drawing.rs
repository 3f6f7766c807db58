//! The drawn form of a field: 2H + 1 lines of 2W + 1 characters, as in board files, read strictly and written so
//! that it reads back the same.

use std::fmt;

use thiserror::Error;

use crate::field::Lie;
use crate::{Direction, Field, MOST, Square};

/// What is wrong with a drawing; lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DrawingError {
    /// Not 2H + 1 lines of 2W + 1 characters.
    #[error(
        "a drawing has 2H + 1 lines of 2W + 1 characters, this has {lines} lines and begins with {width} characters"
    )]
    Shape {
        /// Lines of the text.
        lines: usize,
        /// Characters of the first line.
        width: usize,
    },
    /// Too many rows or columns.
    #[error("a drawing has at most {MOST} rows and columns, this has {rows} and {columns}")]
    TooLarge {
        /// Rows of squares.
        rows: usize,
        /// Columns of squares.
        columns: usize,
    },
    /// A character that cannot stand in its place.
    #[error("line {line}, column {column}: found {found:?}, expected one of “{expected}”")]
    Character {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What stands there.
        found: char,
        /// What may stand there.
        expected: &'static str,
    },
    /// A line longer than the first one.
    #[error("line {line}: the line is longer than the first")]
    Longer {
        /// The line, from 1.
        line: usize,
    },
    /// A rail that is no edge of the board.
    #[error("line {line}, column {column}: a rail stands between a square and what is none")]
    Rail {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// Two kings with the anchor.
    #[error("there is one anchor, this drawing has {0}")]
    Anchors(usize),
}

/// The letters of squares in drawings.
const LETTERS: [(char, Square); 8] = [
    ('#', Square::Void),
    ('.', Square::Empty),
    ('o', Square::WhitePawn),
    ('O', Square::WhiteKing),
    ('P', Square::WhiteAnchored),
    ('x', Square::BlackPawn),
    ('X', Square::BlackKing),
    ('Y', Square::BlackAnchored),
];

impl Square {
    /// The letter of the square in drawings.
    #[must_use]
    pub fn letter(self) -> char {
        LETTERS.iter().find(|&&(_, square)| square == self).map_or('#', |&(letter, _)| letter)
    }

    /// The square with a letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Square> {
        LETTERS.iter().find(|&&(l, _)| l == letter).map(|&(_, square)| square)
    }
}

impl Field {
    /// Reads a drawing. Blanks at the ends of lines may be left out.
    ///
    /// # Errors
    /// With the line and the column.
    pub fn parse(text: &str) -> Result<Field, DrawingError> {
        let lines: Vec<Vec<char>> =
            text.trim_end().lines().map(|line| line.trim_end().chars().collect()).collect();
        let width = lines.first().map_or(0, Vec::len);
        if lines.len() < 3 || lines.len().is_multiple_of(2) || width < 3 || width.is_multiple_of(2) {
            return Err(DrawingError::Shape { lines: lines.len(), width });
        }
        let (rows, columns) = (lines.len() / 2, width / 2);
        if rows > MOST || columns > MOST {
            return Err(DrawingError::TooLarge { rows, columns });
        }
        let mut field = Field::filled(rows, columns, Square::Void);
        for (number, line) in lines.iter().enumerate() {
            if line.len() > width {
                return Err(DrawingError::Longer { line: number + 1 });
            }
            for column in 0..width {
                let found = line.get(column).copied().unwrap_or(' ');
                let expected = match (number % 2, column % 2) {
                    (0, 0) => "+",
                    (0, _) => "- ",
                    (_, 0) => "| ",
                    _ => ".#oOxXYP",
                };
                if !expected.contains(found) {
                    return Err(DrawingError::Character {
                        line: number + 1,
                        column: column + 1,
                        found,
                        expected,
                    });
                }
                match (number % 2, column % 2) {
                    (0, 1) => field.flat[number / 2 * columns + column / 2] = found == '-',
                    (1, 0) => field.upright[number / 2 * (columns + 1) + column / 2] = found == '|',
                    (1, 1) => {
                        let square = Square::from_letter(found).unwrap_or(Square::Void);
                        field.squares[number / 2 * columns + column / 2] = square;
                    }
                    _ => {}
                }
            }
        }
        field.check()?;
        Ok(field)
    }

    /// Whether rails stand at edges of the board only, and there is at most one anchor.
    fn check(&self) -> Result<(), DrawingError> {
        let mut edges_flat = vec![false; self.flat.len()];
        let mut edges_upright = vec![false; self.upright.len()];
        for place in self.places().filter(|&place| self.at(place) != Square::Void) {
            for direction in Direction::ALL {
                let (lie, at) = self.rail_at(place, direction);
                let edges = if lie == Lie::Flat { &mut edges_flat } else { &mut edges_upright };
                edges[at] |= self.beside(place, direction).is_none();
            }
        }
        let wrong = |rails: &[bool], edges: &[bool]| rails.iter().zip(edges).position(|(&r, &e)| r && !e);
        if let Some(at) = wrong(&self.flat, &edges_flat) {
            let (line, column) = (2 * (at / self.columns) + 1, 2 * (at % self.columns) + 2);
            return Err(DrawingError::Rail { line, column });
        }
        if let Some(at) = wrong(&self.upright, &edges_upright) {
            let across = self.columns + 1;
            return Err(DrawingError::Rail { line: 2 * (at / across) + 2, column: 2 * (at % across) + 1 });
        }
        match self.squares.iter().filter(|square| square.is_anchored()).count() {
            0 | 1 => Ok(()),
            several => Err(DrawingError::Anchors(several)),
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..=self.rows {
            let mut line = String::from("+");
            for column in 0..self.columns {
                line.push(if self.flat[row * self.columns + column] { '-' } else { ' ' });
                line.push('+');
            }
            writeln!(f, "{}", line.trim_end())?;
            if row == self.rows {
                break;
            }
            let mut line = String::new();
            for column in 0..=self.columns {
                line.push(if self.upright[row * (self.columns + 1) + column] { '|' } else { ' ' });
                if column < self.columns {
                    line.push(self.squares[row * self.columns + column].letter());
                }
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_read_back() {
        let text = "+ + +-+ +\n # #|.|#\n+-+-+ +-+\n|o X x .\n+ + +-+ +\n";
        assert!(matches!(Field::parse(&text.replace(" .", " . .")), Err(DrawingError::Longer { line: 4 })));
        let field = Field::parse(text).unwrap();
        assert_eq!(field.to_string(), text);
        assert_eq!((field.rows(), field.columns()), (2, 4));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, said) in [
            ("", "0 lines"),
            ("+-+\n|o|\n", "2 lines"),
            ("+-+\n|q|\n+-+\n", "line 2, column 2: found 'q'"),
            ("+-+-+\n|o|o|\n+-+-+\n", "line 2, column 3: a rail"),
            ("+ +\n #\n+-+\n", "line 3, column 2: a rail"),
            ("+-+-+\n|Y P|\n+-+-+\n", "has 2"),
        ] {
            let error = Field::parse(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text:?}: {error}");
        }
    }
}
