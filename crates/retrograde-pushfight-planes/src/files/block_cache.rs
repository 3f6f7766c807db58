//! Decoded blocks that are kept in memory. Of many looks at a file most go to blocks that were looked at before, from several
//! threads, so what is asked for most must be found quickly, and must not leave with what is asked for once. (The cache of
//! `quick_cache`, which `retrograde-serve` has, took an eighth longer for all turns of a position.)

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::files::depth_block::Block;

/// Blocks that are kept at the most, some 30 kB each on the standard board.
const KEPT: usize = 4096;
/// Threads that look for different blocks seldom wait for each other.
const SHELVES: usize = 16;

#[derive(Default)]
pub(crate) struct Shelves([Mutex<Shelf>; SHELVES]);

/// Some of the blocks. What is asked for comes to the young ones; when these are half of all that there may be, they become
/// the old ones, and what was old and nobody has asked for since is dropped.
#[derive(Default)]
struct Shelf {
    young: FxHashMap<usize, Arc<Block>>,
    old: FxHashMap<usize, Arc<Block>>,
}

impl Shelves {
    fn shelf(&self, number: usize) -> MutexGuard<'_, Shelf> {
        self.0[number % SHELVES].lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, number: usize) -> Option<Arc<Block>> {
        let mut shelf = self.shelf(number);
        if let Some(block) = shelf.young.get(&number) {
            return Some(block.clone());
        }
        let block = shelf.old.remove(&number)?;
        shelf.put(number, block.clone());
        Some(block)
    }

    pub(crate) fn put(&self, number: usize, block: Arc<Block>) {
        self.shelf(number).put(number, block);
    }
}

impl Shelf {
    fn put(&mut self, number: usize, block: Arc<Block>) {
        if self.young.len() >= KEPT / SHELVES / 2 {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(number, block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays_and_the_rest_goes() {
        let shelves = Shelves::default();
        let block = || Arc::new(Block::new(vec![0; 8], 1, 1).unwrap());
        shelves.put(0, block());
        for number in 1..10 * KEPT {
            assert!(shelves.get(number).is_none());
            shelves.put(number, block());
            assert!(shelves.get(0).is_some(), "after {number}");
        }
        let there = (0..10 * KEPT).filter(|&number| shelves.get(number).is_some()).count();
        assert!((KEPT / 2..=KEPT).contains(&there), "{there}");
        assert!(shelves.get(1).is_none() && shelves.get(10 * KEPT - 1).is_some());
    }
}
