//! A decoded block: the values of consecutive indices.

use retrograde_game::{Index, Knowledge, Outcome, Score, Stored, Value};

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

    /// The positions that may have a value, by index: where turns are known, those that have it, and for
    /// a win or a draw those that are only known not to be lost. All positions, where outcomes alone
    /// are known.
    pub fn that_may_be(&self, value: Value) -> impl Iterator<Item = (Index, Knowledge)> + '_ {
        let places = match self.cell {
            CellWidth::Byte => places_of(&self.bytes[..self.cells], codes(value)),
            CellWidth::TwoBytes => {
                let (cells, _) = self.bytes[..2 * self.cells].as_chunks::<2>();
                places_of(cells, codes(value).map(u16::to_le_bytes))
            }
            CellWidth::Bit | CellWidth::TwoBits => (0..self.cells).collect(),
        };
        places.into_iter().filter_map(|at| match self.cell.stored(&self.bytes, at) {
            Stored::Known(knowledge) => Some((Index(self.first.0 + at as u64), knowledge)),
            Stored::Nothing => None,
        })
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

/// The codes of a value: its own, and that of [`Score::NOT_LOST`], which may stand for it. Twice the same
/// where one is enough, and that of no position where the value has none.
fn codes<S: Score>(value: Value) -> [S; 2] {
    let own = S::from_value(value).unwrap_or(S::NONE);
    [own, if value.outcome() == Outcome::Loss { own } else { S::NOT_LOST }]
}

/// The places of cells with one of two codes.
fn places_of<T: PartialEq + Copy>(cells: &[T], [one, other]: [T; 2]) -> Vec<usize> {
    /// Cells that are looked at without a branch each, as most blocks of a rare value have none.
    const PIECE: usize = 64;
    let mut places = Vec::new();
    for (number, piece) in cells.chunks(PIECE).enumerate() {
        let is = |cell: T| cell == one || cell == other;
        if piece.iter().fold(false, |some, &cell| some | is(cell)) {
            places.extend((0..piece.len()).filter(|&at| is(piece[at])).map(|at| number * PIECE + at));
        }
    }
    places
}
