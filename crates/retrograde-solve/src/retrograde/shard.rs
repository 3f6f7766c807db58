//! A range of indices that one worker looks after: which of its positions are open, and what is new
//! about the others.

use crate::array::{ScoreArray, SharedScore};

/// Indices of a shard at the most: as many as an [`Open`] position can tell apart.
pub(crate) const MAX_INDICES: u64 = 1 << 16;

/// An undecided position and a note about it, in eight bytes: the place in the shard above, the
/// note, an index or a count of up to 48 bits, below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Open(u64);

const NOTE: u64 = (1 << 48) - 1;

/// No successor has been noted.
pub(crate) const NOT_SEEN: u64 = NOTE;
/// A successor is a draw by the rules, or one that no table holds: it is never won for the
/// opponent.
pub(crate) const NEVER_REFUTED: u64 = NOTE - 1;

impl Open {
    /// `note` is below 2⁴⁸: larger tables fit no memory.
    pub(crate) fn new(shard: &Shard, index: u64, note: u64) -> Open {
        debug_assert!(index - shard.start < MAX_INDICES && note <= NOTE);
        Open((index - shard.start) << 48 | note & NOTE)
    }

    pub(crate) fn index(self, shard: &Shard) -> u64 {
        shard.start + (self.0 >> 48)
    }

    pub(crate) fn note(self) -> u64 {
        self.0 & NOTE
    }

    pub(crate) fn with(self, note: u64) -> Open {
        Open(self.0 & !NOTE | note & NOTE)
    }
}

/// A shard. Only positions that stand for their orbit are listed.
pub(crate) struct Shard {
    pub start: u64,
    pub end: u64,
    /// Undecided positions, in order.
    pub open: Vec<Open>,
    /// Losses of the phase before.
    pub lost: Vec<u64>,
    /// Wins of the phase before.
    pub won: Vec<u64>,
    /// Wins of this phase that the shard has found itself.
    pub also_won: Vec<u64>,
    /// Messages about its positions.
    pub inbox: Vec<u64>,
}

impl Shard {
    /// Bytes an open position takes, with what is on its way about it.
    pub(crate) const BYTES_AN_OPEN_POSITION: u64 = 24;

    pub(crate) fn new(start: u64, end: u64) -> Shard {
        let (open, lost, won) = (Vec::new(), Vec::new(), Vec::new());
        Shard { start, end, open, lost, won, also_won: Vec::new(), inbox: Vec::new() }
    }

    /// Takes decided positions off the list; how many there were.
    pub(crate) fn settle<S: SharedScore>(&mut self, scores: &ScoreArray<S>) -> u64 {
        let before = self.open.len();
        let mut open = std::mem::take(&mut self.open);
        let lost_or_won = |score: S| score != S::UNKNOWN;
        self.won.clear();
        open.retain(|open| {
            let index = open.index(self);
            let score = scores.get(index);
            if lost_or_won(score) && score > S::DRAW {
                self.won.push(index);
            }
            !lost_or_won(score)
        });
        self.open = open;
        (before - self.open.len()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_positions_are_packed_without_loss() {
        let shard = Shard::new(5 * MAX_INDICES, 6 * MAX_INDICES);
        for index in [5 * MAX_INDICES, 5 * MAX_INDICES + 1, 6 * MAX_INDICES - 1] {
            for note in [0, 1, 1 << 47, NEVER_REFUTED, NOT_SEEN] {
                let open = Open::new(&shard, index, note);
                assert_eq!((open.index(&shard), open.note()), (index, note));
                assert_eq!(open.with(3), Open::new(&shard, index, 3));
            }
        }
    }
}
