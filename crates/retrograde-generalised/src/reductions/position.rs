//! A position of generalised Push Fight on a board of any size, with the one rule that the
//! reductions rest on: the push. White is the side to move in a drawing (`oO`), Black the other one
//! (`xXY`).

use crate::reductions::{Cell, Direction, Place};

/// The most rows and columns of a board here; a drawing may have no more.
pub const MAX_SIDE: usize = 1000;

/// A board with its rails, and what stands on it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Row by row from the top.
    pub(crate) squares: Vec<Cell>,
    /// Rails on edges that lie flat: above row `r` in column `c` at `r * columns + c`; one row of
    /// edges more.
    pub(crate) flat: Vec<bool>,
    /// Rails on upright edges: left of column `c` in row `r` at `r * (columns + 1) + c`.
    pub(crate) upright: Vec<bool>,
}

/// The direction of an edge.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lie {
    /// Between two squares of a column.
    Flat,
    /// Between two squares of a row.
    Upright,
}

impl Position {
    /// A rectangle filled with one kind of square, without rails.
    #[must_use]
    pub fn filled(rows: usize, columns: usize, square: Cell) -> Position {
        Position {
            rows,
            columns,
            squares: vec![square; rows * columns],
            flat: vec![false; (rows + 1) * columns],
            upright: vec![false; rows * (columns + 1)],
        }
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

    /// The content of a cell; outside the grid is no square.
    #[must_use]
    pub fn at(&self, place: Place) -> Cell {
        if place.row < self.rows && place.column < self.columns {
            self.squares[place.row * self.columns + place.column]
        } else {
            Cell::Void
        }
    }

    /// Makes a cell something else; a place outside the grid is left alone.
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

    /// The neighbouring square; `None` off the board.
    #[must_use]
    pub fn beside(&self, place: Place, direction: Direction) -> Option<Place> {
        place.step(direction).filter(|&next| self.at(next) != Cell::Void)
    }

    /// The list that holds the rail of an edge, and its index there.
    pub(crate) fn rail_at(&self, Place { row, column }: Place, direction: Direction) -> (Lie, usize) {
        match direction {
            Direction::North => (Lie::Flat, row * self.columns + column),
            Direction::South => (Lie::Flat, (row + 1) * self.columns + column),
            Direction::West => (Lie::Upright, row * (self.columns + 1) + column),
            Direction::East => (Lie::Upright, row * (self.columns + 1) + column + 1),
        }
    }

    /// Puts a rail on an edge of a square, or takes it off.
    pub(crate) fn set_rail(&mut self, place: Place, direction: Direction, rail: bool) {
        let is_square = self.at(place) != Cell::Void;
        let (lie, at) = self.rail_at(place, direction);
        let rails = if lie == Lie::Flat { &mut self.flat } else { &mut self.upright };
        if is_square && let Some(edge) = rails.get_mut(at) {
            *edge = rail;
        }
    }

    /// Whether the edge of a square has a rail; what is no square has no edges.
    #[must_use]
    pub fn rail(&self, place: Place, direction: Direction) -> bool {
        let (lie, at) = self.rail_at(place, direction);
        let rails = if lie == Lie::Flat { &self.flat } else { &self.upright };
        self.at(place) != Cell::Void && rails.get(at).copied().unwrap_or(false)
    }

    /// Puts rails on all edges of the board.
    pub fn rail_everywhere(&mut self) {
        for place in self.places() {
            for direction in Direction::ALL {
                if self.at(place) != Cell::Void && self.beside(place, direction).is_none() {
                    self.set_rail(place, direction, true);
                }
            }
        }
    }

    /// Takes the rail off an edge.
    pub fn open(&mut self, place: Place, direction: Direction) {
        self.set_rail(place, direction, false);
    }

    /// The place of some piece, the first from the top left.
    #[must_use]
    pub fn find(&self, is: impl Fn(Cell) -> bool) -> Option<Place> {
        self.places().find(|&place| is(self.at(place)))
    }

    /// Pushes with the king of a square and gives the piece that fell off, if one did.
    ///
    /// `None`, and nothing is changed, where the rules allow no such push: no king stands there,
    /// the square ahead is empty or off the board, a rail stops the line, or the anchor stands in
    /// it. A push that ejects a piece of the pusher's own colour is `None`, too: it loses at once,
    /// so nobody plays it.
    pub fn push(&mut self, from: Place, direction: Direction) -> Option<Option<Cell>> {
        let king = self.at(from);
        if !king.is_king() {
            return None;
        }
        let mut line = vec![from];
        let mut last = from;
        let end = loop {
            match self.beside(last, direction) {
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
    fn a_push_may_eject_the_other_side_only() {
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
