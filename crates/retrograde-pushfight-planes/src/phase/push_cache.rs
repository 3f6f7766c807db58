//! What of a block has a push into the undecided, kept from one loss phase to the next.
//!
//! A loss phase asks which undecided positions have no turn left into the undecided. Finding all pushes into them anew
//! reads everything that is undecided, which is half of the work. But only a push into a new win can have ceased to lead
//! there; so where the pushes of each block are known from the phase before, those into new wins are looked at one by
//! one, and blocks are flooded in which some position has no other. It takes about twice the room of the undecided
//! positions themselves; where memory does not suffice for all, those of some sets of pushers are kept.
//!
//! A push into a position that was found lost stays: whoever has a turn with it has won since, so nobody asks.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::layout::numbering::Shape;
use crate::layout::sets::{some, squares};

/// For each superblock its blocks' pushes, and the loss phase up to which they are known.
pub(crate) struct Ways<const W: usize> {
    supers: Vec<Mutex<Super<W>>>,
    /// The loss phase that is about to be done.
    turns: u16,
    /// Bytes of what is kept, and how many there may be before nothing more is.
    bytes: AtomicU64,
    most: u64,
}

/// The pushes of a superblock, in the hands of a thread.
pub(crate) struct Opened<'a, const W: usize> {
    of: MutexGuard<'a, Super<W>>,
    /// Of all superblocks.
    bytes: &'a AtomicU64,
}

/// The pushes of a superblock's blocks.
struct Super<const W: usize> {
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

    fn bytes(&self) -> u64 {
        (self.there.capacity() * size_of::<(u64, u32)>() + self.rows.capacity() * size_of::<[u64; W]>())
            as u64
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

impl<const W: usize> Opened<'_, W> {
    /// The pushes of a block.
    pub(crate) fn block(&mut self, lane: usize) -> &mut Kept<W> {
        &mut self.of.blocks[lane]
    }

    /// Sets the pushes of a block.
    pub(crate) fn set(&mut self, lane: usize, block: Option<&[[u64; W]]>) {
        let block = block.map_or_else(Kept::default, Kept::new);
        self.bytes.fetch_add(block.bytes(), Ordering::Relaxed);
        let before = std::mem::replace(&mut self.of.blocks[lane], block);
        self.bytes.fetch_sub(before.bytes(), Ordering::Relaxed);
    }
}

impl<const W: usize> Ways<W> {
    /// Nothing is known.
    pub(crate) fn new(shape: &Shape) -> Ways<W> {
        let none = || Mutex::new(Super { turns: None, blocks: Vec::new() });
        let supers = shape.supers.iter().map(|_| none()).collect();
        Ways { supers, turns: 0, bytes: AtomicU64::new(0), most: 0 }
    }

    /// The next loss phase finds what is lost in so many turns, and once so many bytes are kept, no more are.
    pub(crate) fn begin(&mut self, turns: u16, most: u64) {
        (self.turns, self.most) = (turns, most);
    }

    /// Bytes of what is kept.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Whether the pushes of a superblock are known as the loss phase before this one left them.
    pub(crate) fn are_known(&self, superblock: usize) -> bool {
        self.lock(superblock).turns.is_some_and(|turns| turns + 2 == self.turns)
    }

    /// Whether the pushes of some superblocks are kept in this phase: those that are known, and others while there is
    /// room. Otherwise what was known of them is forgotten.
    pub(crate) fn keeps(&self, superblocks: impl Iterator<Item = usize> + Clone) -> bool {
        if self.bytes() < self.most || superblocks.clone().all(|superblock| self.are_known(superblock)) {
            return true;
        }
        for superblock in superblocks {
            let mut found = self.lock(superblock);
            let bytes = found.blocks.iter().map(Kept::bytes).sum();
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
            *found = Super { turns: None, blocks: Vec::new() };
        }
        false
    }

    /// The pushes of a superblock, which are about to become those of this phase. Only of some blocks: in the others
    /// nothing is undecided any more.
    pub(crate) fn of(&self, shape: &Shape, superblock: usize, lanes: &[u64; W]) -> Opened<'_, W> {
        let mut of = self.lock(superblock);
        of.turns = Some(self.turns);
        of.blocks.resize_with(shape.lanes, Kept::default);
        let mut opened = Opened { of, bytes: &self.bytes };
        for lane in (0..shape.lanes).filter(|lane| lanes[lane / 64] >> (lane % 64) & 1 == 0) {
            opened.set(lane, None);
        }
        opened
    }

    fn lock(&self, superblock: usize) -> MutexGuard<'_, Super<W>> {
        self.supers[superblock].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::numbering::{Scope, with_words};

    #[test]
    fn what_there_is_no_room_for_is_forgotten() {
        fn filled<const W: usize>(shape: &Shape) {
            let mut ways = Ways::<W>::new(shape);
            let keeps = |ways: &Ways<W>, superblocks: &[usize]| ways.keeps(superblocks.iter().copied());
            let block = vec![[1; W]; shape.rows.len()];
            ways.begin(4, 1);
            assert!(keeps(&ways, &[0, 1]));
            for superblock in [0, 1] {
                ways.of(shape, superblock, &[u64::MAX; W]).set(0, Some(&block));
            }
            let both = ways.bytes();
            assert!(both >= 2 * size_of_val(&*block) as u64);
            assert!(!keeps(&ways, &[2]));
            // What is known stays, as long as all of a set of pushers is.
            ways.begin(6, 1);
            assert!(keeps(&ways, &[0]) && ways.are_known(1));
            assert!(!keeps(&ways, &[1, 2]));
            assert!(ways.are_known(0) && !ways.are_known(1));
            assert_eq!(ways.bytes(), both / 2);
            // Nothing undecided is in the block any more.
            ways.of(shape, 0, &[0; W]);
            assert_eq!(ways.bytes(), 0);
        }
        let game = crate::testing::game("pushfight:mini,pushers=2,pawns=1");
        let shape = Shape::new(&game, Scope::Game).unwrap();
        with_words!(shape, W => filled::<W>(&shape));
    }

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
