//! A position of generalised Push Fight on a board of any size, with the one rule that the
//! reductions use: the push. White is the side to move in a drawing (`oO`), Black is the other side
//! (`xXY`).

use crate::reductions::{Cell, Direction, Place};

/// The most rows and columns of a board.
pub const MAX_SIDE: usize = 1000;

/// A board with its rails and pieces.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    rows: usize,
    columns: usize,
    /// The cells, row by row from the top.
    pub(crate) squares: Vec<Cell>,
    /// The directions in which each cell has a rail, as bits.
    rails: Vec<u8>,
}

impl Position {
    /// A rectangle filled with one kind of cell, without rails.
    #[must_use]
    pub fn filled(rows: usize, columns: usize, square: Cell) -> Position {
        Position { rows, columns, squares: vec![square; rows * columns], rails: vec![0; rows * columns] }
    }

    /// The number of rows of the grid.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns of the grid.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The content of a cell; [`Cell::Void`] outside the grid.
    #[must_use]
    pub fn at(&self, place: Place) -> Cell {
        if place.row < self.rows && place.column < self.columns {
            self.squares[place.row * self.columns + place.column]
        } else {
            Cell::Void
        }
    }

    /// Sets the content of a cell. Ignores places outside the grid.
    pub fn set(&mut self, place: Place, square: Cell) {
        if place.row < self.rows && place.column < self.columns {
            self.squares[place.row * self.columns + place.column] = square;
        }
    }

    /// All cells of the grid, row by row from the top.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |row| (0..columns).map(move |column| Place::new(row, column)))
    }

    /// The neighbouring square; `None` if it is not on the board.
    #[must_use]
    pub fn neighbour(&self, place: Place, direction: Direction) -> Option<Place> {
        place.step(direction).filter(|&next| self.at(next) != Cell::Void)
    }

    /// Sets or removes the rail on an edge of a square.
    pub(crate) fn set_rail(&mut self, place: Place, direction: Direction, rail: bool) {
        if self.at(place) != Cell::Void {
            let rails = &mut self.rails[place.row * self.columns + place.column];
            *rails = *rails & !(1 << direction as u8) | u8::from(rail) << direction as u8;
        }
    }

    /// Whether an edge of a square has a rail; always `false` for cells that are not squares.
    #[must_use]
    pub fn rail(&self, place: Place, direction: Direction) -> bool {
        self.at(place) != Cell::Void
            && self.rails[place.row * self.columns + place.column] >> direction as u8 & 1 == 1
    }

    /// Whether the board ends on a side of a square, without a rail.
    pub(crate) fn is_open(&self, place: Place, direction: Direction) -> bool {
        self.at(place) != Cell::Void
            && self.neighbour(place, direction).is_none()
            && !self.rail(place, direction)
    }

    /// Puts rails on all edges of the board.
    pub fn rail_everywhere(&mut self) {
        for place in self.places() {
            for direction in Direction::ALL {
                if self.at(place) != Cell::Void && self.neighbour(place, direction).is_none() {
                    self.set_rail(place, direction, true);
                }
            }
        }
    }

    /// Removes the rail from an edge.
    pub fn open(&mut self, place: Place, direction: Direction) {
        self.set_rail(place, direction, false);
    }

    /// The place of the first matching piece, from the top left.
    #[must_use]
    pub fn find(&self, is: impl Fn(Cell) -> bool) -> Option<Place> {
        self.places().find(|&place| is(self.at(place)))
    }

    /// Pushes with the king on a square. Returns the ejected piece, if any.
    ///
    /// Returns `None` and changes nothing if the rules do not allow the push: there is no king, the
    /// square ahead is empty or off the board, a rail stops the line, or the anchor is in it. A
    /// push that ejects a piece of the pusher's own colour is `None`, too: it loses immediately, so
    /// it is never played.
    pub fn push(&mut self, from: Place, direction: Direction) -> Option<Option<Cell>> {
        let king = self.at(from);
        if !king.is_king() {
            return None;
        }
        let mut line = vec![from];
        let mut last = from;
        let end = loop {
            match self.neighbour(last, direction) {
                Some(next) if self.at(next) == Cell::Empty => break Some(next),
                Some(next) if self.at(next).is_anchored() => return None,
                Some(next) => {
                    line.push(next);
                    last = next;
                }
                None if self.rail(last, direction) => return None,
                None => break None,
            }
        };
        let ejected = if end.is_none() { Some(self.at(last)) } else { None };
        if line.len() < 2 || ejected.is_some_and(|piece| piece.is_white() == king.is_white()) {
            return None;
        }
        if let Some(anchored) = self.find(Cell::is_anchored) {
            self.set(anchored, self.at(anchored).with_anchor(false));
        }
        let mut target = end;
        for &place in line.iter().rev() {
            if let Some(target) = target {
                self.set(target, self.at(place));
            }
            target = Some(place);
        }
        self.set(from, Cell::Empty);
        self.set(line[1], king.with_anchor(true));
        Some(ejected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Position {
        Position::parse(text).unwrap()
    }

    #[test]
    fn a_push_moves_the_line_and_the_anchor() {
        let mut row = position("+-+-+-+-+-+\n|O o x . Y|\n+-+-+-+-+-+\n");
        assert_eq!(row.push(Place::new(0, 0), Direction::East), Some(None));
        assert_eq!(row.to_string(), "+-+-+-+-+-+\n|. P o x X|\n+-+-+-+-+-+\n");
    }

    #[test]
    fn a_push_can_only_eject_the_other_side() {
        for (text, ejected) in [
            ("+-+-+-+\n|O o x\n+-+-+-+\n", Some(Some(Cell::BlackPawn))),
            ("+-+-+-+\n|O x o\n+-+-+-+\n", None),
            ("+-+-+-+\n|O o x|\n+-+-+-+\n", None),
            ("+-+-+-+\n|O x Y\n+-+-+-+\n", None),
            ("+-+-+-+\n|O . x\n+-+-+-+\n", None),
            ("+-+-+-+\n|o o x\n+-+-+-+\n", None),
        ] {
            let mut row = position(text);
            assert_eq!(row.push(Place::new(0, 0), Direction::East), ejected, "{text}");
        }
        let mut row = position("+-+-+\n|O .\n+-+-+\n");
        assert_eq!(row.push(Place::new(0, 0), Direction::West), None);
    }
}
