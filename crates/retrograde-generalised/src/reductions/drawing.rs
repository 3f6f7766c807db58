//! The drawn form of a position, as in board files.

use std::fmt;

use retrograde_game::TextError;
use retrograde_pushfight::Drawing;

use crate::reductions::{Cell, Direction, Place, Position};

/// The letters of cells in drawings.
const LETTERS: [(char, Cell); 8] = [
    ('#', Cell::Void),
    ('.', Cell::Empty),
    ('o', Cell::WhitePawn),
    ('O', Cell::WhiteKing),
    ('P', Cell::WhiteAnchored),
    ('x', Cell::BlackPawn),
    ('X', Cell::BlackKing),
    ('Y', Cell::BlackAnchored),
];

impl Cell {
    /// The letter of the cell in drawings.
    #[must_use]
    pub fn letter(self) -> char {
        LETTERS.iter().find(|&&(_, square)| square == self).map_or('#', |&(letter, _)| letter)
    }

    /// The cell with a letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Cell> {
        LETTERS.iter().find(|&&(l, _)| l == letter).map(|&(_, square)| square)
    }
}

impl Position {
    /// Parses a drawing.
    ///
    /// # Errors
    /// With line and column, the errors of [`Drawing::parse`].
    pub fn parse(text: &str) -> Result<Position, TextError> {
        let drawing = Drawing::parse(text)?;
        let (rows, columns) = (usize::from(drawing.rows()), usize::from(drawing.columns()));
        let mut position = Position::filled(rows, columns, Cell::Void);
        for (at, letter) in drawing.squares() {
            let place = Place::new(usize::from(at.row), usize::from(at.column));
            position.set(place, Cell::from_letter(letter).unwrap_or(Cell::Void));
            for direction in Direction::ALL {
                position.set_rail(place, direction, drawing.has_rail(at, direction as usize));
            }
        }
        Ok(position)
    }

    /// The position as a drawing.
    ///
    /// # Panics
    /// If it has more than [`MAX_SIDE`](crate::reductions::MAX_SIDE) rows or columns.
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        let size = |length: usize| u16::try_from(length).expect("no position is that large");
        Drawing::from_cells(size(self.rows()), size(self.columns()), |row, column| {
            let place = Place::new(usize::from(row), usize::from(column));
            let square = self.at(place);
            let rails = Direction::ALL
                .map(|direction| self.neighbour(place, direction).is_none() && self.rail(place, direction));
            (square != Cell::Void).then(|| (square.letter() as u8, rails))
        })
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.drawing().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_are_read_back() {
        let text = "+ + +-+ +\n # #|.|#\n+-+-+ +-+\n|o X x .\n+ + +-+ +\n";
        let position = Position::parse(text).unwrap();
        assert_eq!(position.to_string(), text);
        assert_eq!((position.rows(), position.columns()), (2, 4));
        assert!(
            Position::parse("+-+\n|q|\n+-+\n")
                .unwrap_err()
                .to_string()
                .contains("line 2, column 2: found 'q'")
        );
    }
}
