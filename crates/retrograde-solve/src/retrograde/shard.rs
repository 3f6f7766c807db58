//! A range of indices that one worker looks after: which of its positions are open, and what is new
//! about the others.

use super::stage::Piece;

/// Indices of a shard at the most: as many as an [`Open`] position can tell apart.
pub(crate) const MAX_INDICES: u64 = 1 << 16;

/// An undecided position and its witness, a successor that is not known to be won for the opponent,
/// in eight bytes: the place in the shard above, the witness, an index of up to 48 bits, below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Open(u64);

const WITNESS: u64 = (1 << 48) - 1;

/// No successor has been noted.
pub(crate) const NOT_SEEN: u64 = WITNESS;
/// A successor is a draw by the rules, or one that no table holds: it is never won for the
/// opponent.
pub(crate) const NEVER_REFUTED: u64 = WITNESS - 1;

impl Open {
    /// `witness` is below 2⁴⁸: larger tables fit no memory.
    pub(crate) fn new(shard: &Piece, index: u64, witness: u64) -> Open {
        debug_assert!(index - shard.indices.start < MAX_INDICES && witness <= WITNESS);
        Open((index - shard.indices.start) << 48 | witness & WITNESS)
    }

    #[inline]
    pub(crate) fn index(self, shard: &Piece) -> u64 {
        shard.indices.start + (self.0 >> 48)
    }

    #[inline]
    pub(crate) fn witness(self) -> u64 {
        self.0 & WITNESS
    }

    pub(crate) fn with(self, witness: u64) -> Open {
        Open(self.0 & !WITNESS | witness & WITNESS)
    }
}

/// A win that an earlier stage brings: in how many turns, and the place in the shard.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct DueWin {
    pub turns: u16,
    pub at: u16,
}

/// A shard. Only positions that stand for their orbit are listed.
pub(crate) struct Shard {
    pub piece: Piece,
    /// Undecided positions, by falling index.
    pub open: Vec<Open>,
    /// Wins by turns into losses of earlier stages, the soonest last.
    pub due: Vec<DueWin>,
    /// Losses of the phase before.
    pub lost: Vec<u64>,
    /// Wins of the phase before.
    pub won: Vec<u64>,
}

impl Shard {
    /// Bytes an open position takes, with what is noted about it when it is decided.
    pub(crate) const BYTES_AN_OPEN_POSITION: u64 = 20;

    pub(crate) fn new(piece: Piece) -> Shard {
        Shard { piece, open: Vec::new(), due: Vec::new(), lost: Vec::new(), won: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_positions_are_packed_without_loss() {
        let shard = Piece { indices: 5 * MAX_INDICES..6 * MAX_INDICES, place: 0 };
        for index in [5 * MAX_INDICES, 5 * MAX_INDICES + 1, 6 * MAX_INDICES - 1] {
            for witness in [0, 1, 1 << 47, NEVER_REFUTED, NOT_SEEN] {
                let open = Open::new(&shard, index, witness);
                assert_eq!((open.index(&shard), open.witness()), (index, witness));
                assert_eq!(open.with(3), Open::new(&shard, index, 3));
            }
        }
    }
}
