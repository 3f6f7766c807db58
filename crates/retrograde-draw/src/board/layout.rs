//! The places of squares in a drawing.

use retrograde_game::{Edge, GridSquare, Picture, Rail};

use crate::style::UNIT;

/// The places of all parts of a drawing, in units.
pub(crate) struct Layout {
    pub left: f64,
    pub top: f64,
}

impl Layout {
    /// The centre of a square.
    pub(crate) fn center(&self, place: GridSquare) -> (f64, f64) {
        let (x, y) = self.corner(place);
        (x + UNIT / 2.0, y + UNIT / 2.0)
    }

    /// The upper left corner of a square.
    pub(super) fn corner(&self, place: GridSquare) -> (f64, f64) {
        (self.left + UNIT * f64::from(place.column), self.top + UNIT * f64::from(place.row))
    }
}

/// The line that a rail is on: whether it is horizontal, its number, and the place along it.
pub(crate) fn line_of(rail: &Rail) -> (bool, u16, u16) {
    let GridSquare { column, row } = rail.place;
    match rail.side {
        Edge::Top => (true, row, column),
        Edge::Bottom => (true, row + 1, column),
        Edge::Left => (false, column, row),
        Edge::Right => (false, column + 1, row),
    }
}

/// Whether a place is in the grid, with or without a square.
pub(crate) fn inside(picture: &Picture, place: GridSquare) -> bool {
    place.column < picture.columns && place.row < picture.rows
}
