//! What of a block has a push into the undecided, kept from one loss phase to the next.
//!
//! A loss phase asks which undecided positions have no turn left into the undecided. Finding all pushes into them anew
//! reads everything that is undecided, which is half of the work. But only a push into a new win can have ceased to lead
//! there; so where the pushes of each block are known from the phase before, those into new wins are looked at one by
//! one, and blocks are flooded in which some position has no other. It takes about twice the room of the undecided
//! positions themselves.
//!
//! A push into a position that was found lost stays: whoever has a turn with it has won since, so nobody asks.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::shape::{Shape, some, squares};

/// For each superblock its blocks' pushes, and the loss phase up to which they are known.
pub(crate) struct Ways<const W: usize> {
    supers: Vec<Mutex<Super<W>>>,
    /// The loss phase that is about to be done.
    turns: u16,
}

/// The pushes of a superblock's blocks.
pub(crate) struct Super<const W: usize> {
    /// The loss phase that left them so; none if they are not known.
    turns: Option<u16>,
    /// By opposing pawns.
    blocks: Vec<Kept<W>>,
}

/// The rows of a block that are not empty.
#[derive(Clone, Default)]
pub(crate) struct Kept<const W: usize> {
    /// For 64 rows each which of them there are, and how many before.
    there: Vec<(u64, u32)>,
    rows: Vec<[u64; W]>,
}

impl<const W: usize> Kept<W> {
    fn new(block: &[[u64; W]]) -> Kept<W> {
        let mut kept = Kept { there: Vec::with_capacity(block.len().div_ceil(64)), rows: Vec::new() };
        let filled = |row: &&[u64; W]| some(row);
        kept.rows.reserve_exact(block.iter().filter(filled).count());
        for rows in block.chunks(64) {
            let before = kept.rows.len() as u32;
            let mut there = 0;
            for (bit, row) in rows.iter().enumerate().filter(|(_, row)| filled(row)) {
                there |= 1 << bit;
                kept.rows.push(*row);
            }
            kept.there.push((there, before));
        }
        kept
    }

    /// A row that is not empty, or was not.
    pub(crate) fn row(&mut self, row: usize) -> Option<&mut [u64; W]> {
        let &(there, before) = self.there.get(row / 64)?;
        let below = (there & ((1 << (row % 64)) - 1)).count_ones();
        (there >> (row % 64) & 1 == 1).then(|| &mut self.rows[(before + below) as usize])
    }

    /// Writes all rows into a block.
    pub(crate) fn load(&self, block: &mut [[u64; W]]) {
        block.fill([0; W]);
        let mut rows = self.rows.iter();
        for (&(there, _), block) in self.there.iter().zip(block.chunks_mut(64)) {
            for (row, kept) in squares(there).zip(&mut rows) {
                block[row] = *kept;
            }
        }
    }
}

impl<const W: usize> Super<W> {
    /// The pushes of a block.
    pub(crate) fn block(&mut self, lane: usize) -> &mut Kept<W> {
        &mut self.blocks[lane]
    }

    /// Sets the pushes of a block.
    pub(crate) fn set(&mut self, lane: usize, block: Option<&[[u64; W]]>) {
        self.blocks[lane] = block.map_or_else(Kept::default, Kept::new);
    }
}

impl<const W: usize> Ways<W> {
    /// Nothing is known.
    pub(crate) fn new(shape: &Shape) -> Ways<W> {
        let none = || Mutex::new(Super { turns: None, blocks: Vec::new() });
        Ways { supers: shape.supers.iter().map(|_| none()).collect(), turns: 0 }
    }

    /// The most bytes that so many blocks take.
    pub(crate) fn most(shape: &Shape, blocks: usize) -> u64 {
        let block = shape.rows.len() * 8 * W + shape.rows.len().div_ceil(64) * 16;
        blocks as u64 * block as u64
    }

    /// The next loss phase finds what is lost in so many turns.
    pub(crate) fn begin(&mut self, turns: u16) {
        self.turns = turns;
    }

    /// Whether the pushes of a superblock are known as the loss phase before this one left them.
    pub(crate) fn are_known(&self, superblock: usize) -> bool {
        self.lock(superblock).turns.is_some_and(|turns| turns + 2 == self.turns)
    }

    /// The pushes of a superblock, which are about to become those of this phase. Only of some blocks: in the others
    /// nothing is undecided any more.
    pub(crate) fn of(&self, shape: &Shape, superblock: usize, lanes: &[u64; W]) -> MutexGuard<'_, Super<W>> {
        let mut found = self.lock(superblock);
        found.turns = Some(self.turns);
        found.blocks.resize_with(shape.lanes, Kept::default);
        for (lane, block) in found.blocks.iter_mut().enumerate() {
            if lanes[lane / 64] >> (lane % 64) & 1 == 0 {
                *block = Kept::default();
            }
        }
        found
    }

    fn lock(&self, superblock: usize) -> MutexGuard<'_, Super<W>> {
        self.supers[superblock].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_again() {
        for rows in [1, 64, 65, 200] {
            let block: Vec<[u64; 2]> =
                (0..rows).map(|row| [u64::from(row % 3 == 1) * (row + 7), 0]).collect();
            let mut kept = Kept::new(&block);
            let mut loaded = vec![[5; 2]; block.len()];
            kept.load(&mut loaded);
            assert_eq!(loaded, block);
            for (at, row) in block.iter().enumerate() {
                let found = kept.row(at);
                assert_eq!(found.as_deref(), (row[0] != 0).then_some(row));
                if let Some(found) = found {
                    *found = [0, 9];
                }
            }
            kept.load(&mut loaded);
            let changed = |row: &[u64; 2]| if row[0] == 0 { [0; 2] } else { [0, 9] };
            assert_eq!(loaded, block.iter().map(changed).collect::<Vec<_>>());
        }
    }
}
