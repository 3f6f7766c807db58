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

    /// Always false: a block has at least one index.
    pub fn is_empty(&self) -> bool {
        self.cells == 0
    }

    /// The knowledge at an index; `None` if the index is in another block.
    pub fn get(&self, index: Index) -> Option<Stored> {
        let at = index.0.checked_sub(self.first.0)?;
        (at < self.cells as u64).then(|| self.cell.stored(&self.bytes, at as usize))
    }

    /// All values with their indices, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Index, Stored)> + '_ {
        (0..self.cells).map(|at| (Index(self.first.0 + at as u64), self.cell.stored(&self.bytes, at)))
    }

    /// The positions that may have a value, in order. If turns are known, these are the positions
    /// with this value and, for a win or a draw, those only known not to be lost. If only outcomes
    /// are known, all positions.
    pub fn candidates_with(&self, value: Value) -> impl Iterator<Item = (Index, Knowledge)> + '_ {
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

    /// The format of the cells in [`Block::bytes`].
    pub fn cell(&self) -> CellWidth {
        self.cell
    }

    /// The packed cells, for callers that read many at once: one-byte scores, little-endian
    /// two-byte scores, or 2 or 1 bits per index beginning with the lowest bit of each byte (2
    /// bits: 0 no position, 1 loss, 2 draw, 3 win; 1 bit: 0 loss, 1 win).
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The codes that a value can have: its score, and [`Score::NOT_LOST`] unless it is a loss,
/// where the score is repeated. A value without a score has the code of no position.
fn codes<S: Score>(value: Value) -> [S; 2] {
    let own = S::from_value(value).unwrap_or(S::NONE);
    [own, if value.outcome() == Outcome::Loss { own } else { S::NOT_LOST }]
}

/// The places of the cells with one of two codes.
fn places_of<T: PartialEq + Copy>(cells: &[T], [one, other]: [T; 2]) -> Vec<usize> {
    /// The number of cells tested together without branches; for a rare value most pieces have no match.
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
