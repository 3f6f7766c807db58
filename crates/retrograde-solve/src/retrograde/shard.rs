//! A range of indices that one worker handles: its open positions, and the recently decided ones.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::stage::Piece;

/// The maximum number of indices per shard, which [`Open`] can distinguish.
pub(crate) const MAX_INDICES: u64 = 1 << 16;

/// An undecided position and its witness, a successor that is not known to be won for the opponent, in eight
/// bytes: the place in the shard in the upper 16 bits, the index of the witness in the lower 48.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Open(u64);

const WITNESS: u64 = (1 << 48) - 1;

/// No successor is stored.
pub(crate) const NOT_SEEN: u64 = WITNESS;
/// A successor is a draw by the rules, or is not in the table: it is never won for the opponent.
pub(crate) const NEVER_REFUTED: u64 = WITNESS - 1;

impl Open {
    /// `witness` is below 2⁴⁸, since larger tables do not fit into memory.
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

/// A position to which something happens because of a turn to an earlier stage: the number of turns, and the
/// place in the shard.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Due {
    pub turns: u16,
    pub at: u16,
}

/// A shard. Only canonical positions are listed.
pub(crate) struct Shard {
    pub piece: Piece,
    /// Undecided positions, by descending index. Some may have been decided since the last scan.
    pub open: Vec<Open>,
    /// Wins by turns to losses of earlier stages, the shortest last.
    pub due: Vec<Due>,
    /// Positions whose witness is a win of an earlier stage in this number of turns. Used while phases follow
    /// wins.
    pub waits: BinaryHeap<Reverse<Due>>,
    /// The losses of the previous phase.
    pub lost: Vec<u64>,
    /// The wins of the previous phase.
    pub won: Vec<u64>,
}

impl Shard {
    /// The bytes per open position, including what is stored when it is decided.
    pub(crate) const BYTES_AN_OPEN_POSITION: u64 = 20;

    pub(crate) fn new(piece: Piece) -> Shard {
        Shard {
            piece,
            open: Vec::new(),
            due: Vec::new(),
            waits: BinaryHeap::new(),
            lost: Vec::new(),
            won: Vec::new(),
        }
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
