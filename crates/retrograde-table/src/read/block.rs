//! A decoded block: the values of consecutive indices.

use retrograde_game::{Index, Stored};

use crate::format::cells::CellWidth;

/// The values of consecutive indices.
#[derive(Clone, Debug)]
pub struct Block {
    pub(crate) first: Index,
    pub(crate) cells: usize,
    pub(crate) cell: CellWidth,
    pub(crate) bytes: Box<[u8]>,
}

impl Block {
    /// The first index.
    pub fn first(&self) -> Index {
        self.first
    }

    /// The number of indices.
    pub fn len(&self) -> usize {
        self.cells
    }

    /// Whether there are none. There are always some.
    pub fn is_empty(&self) -> bool {
        self.cells == 0
    }

    /// The knowledge at an index; `None` if it stands in another block.
    pub fn get(&self, index: Index) -> Option<Stored> {
        let at = index.0.checked_sub(self.first.0)?;
        (at < self.cells as u64).then(|| self.cell.stored(&self.bytes, at as usize))
    }

    /// All values, by index.
    pub fn iter(&self) -> impl Iterator<Item = (Index, Stored)> + '_ {
        (0..self.cells).map(|at| (Index(self.first.0 + at as u64), self.cell.stored(&self.bytes, at)))
    }

    /// The bits of [`Block::bytes`] that belong to an index.
    pub fn cell(&self) -> CellWidth {
        self.cell
    }

    /// The cells as they are packed, for those who read many at once: scores of one byte,
    /// little-endian scores of two bytes, or 2 or 1 bits an index from the lowest bit of each byte
    /// on (codes of outcomes: 0 no position, 1 loss, 2 draw, 3 win; of one bit: 0 loss, 1 win).
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
