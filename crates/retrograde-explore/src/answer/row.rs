//! Rows of an exported data set.

use retrograde_game::Knowledge;

/// A row of an exported data set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row<'a> {
    /// The index.
    pub index: u64,
    /// The position, seen by the side to move.
    pub position: &'a str,
    /// Planes of 0/1, one after the other.
    pub planes: &'a [u8],
    /// Its value.
    pub knowledge: Knowledge,
}

/// The shape of a data set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowShape {
    /// Names of the planes.
    pub planes: Vec<String>,
    /// Rows of a plane.
    pub rows: usize,
    /// Columns of a plane.
    pub columns: usize,
}

impl RowShape {
    /// The bytes of the planes of a position.
    pub fn size(&self) -> usize {
        self.planes.len() * self.rows * self.columns
    }
}
