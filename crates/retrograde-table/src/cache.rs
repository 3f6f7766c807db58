//! Decoded blocks kept in memory. Small tables keep every block from its first probe on, without
//! locks: a probe is then two dependent reads of memory. Large ones keep a bounded number, each
//! block in the one slot that its number falls on; a slot is locked for the moment of a look.

use std::sync::OnceLock;

use parking_lot::Mutex;

pub(crate) enum Cache {
    /// All blocks, each once it was needed.
    Unbounded(Box<[OnceLock<Box<[u8]>>]>),
    /// Some of them.
    Bounded(Box<[Mutex<Slot>]>),
}

/// A block and its number.
pub(crate) struct Slot {
    number: u64,
    block: Box<[u8]>,
}

/// No block has this number.
const EMPTY: u64 = u64::MAX;

impl Cache {
    /// A cache that keeps all of `blocks` blocks.
    pub fn unbounded(blocks: u64) -> Cache {
        Cache::Unbounded((0..blocks).map(|_| OnceLock::new()).collect())
    }

    /// A cache that keeps at most `slots` blocks, at least one.
    pub fn bounded(slots: u64) -> Cache {
        let empty = || Mutex::new(Slot { number: EMPTY, block: Box::new([]) });
        Cache::Bounded((0..slots.max(1)).map(|_| empty()).collect())
    }

    /// The number of blocks that it keeps at the most.
    pub fn places(&self) -> u64 {
        match self {
            Cache::Unbounded(blocks) => blocks.len() as u64,
            Cache::Bounded(slots) => slots.len() as u64,
        }
    }

    /// Calls `look` with a block if it is here.
    #[inline]
    pub fn with<T>(&self, number: u64, look: impl FnOnce(&[u8]) -> T) -> Option<T> {
        match self {
            Cache::Unbounded(blocks) => blocks.get(number as usize)?.get().map(|block| look(block)),
            Cache::Bounded(slots) => {
                let slot = slot(slots, number).lock();
                (slot.number == number).then(|| look(&slot.block))
            }
        }
    }

    /// Keeps a block.
    pub fn insert(&self, number: u64, block: Box<[u8]>) {
        match self {
            Cache::Unbounded(blocks) => {
                if let Some(place) = blocks.get(number as usize) {
                    // Another thread may have been faster; it has read the same.
                    let _ = place.set(block);
                }
            }
            Cache::Bounded(slots) => {
                let kept = Slot { number, block };
                *slot(slots, number).lock() = kept;
            }
        }
    }
}

/// Neighbouring blocks have different slots.
fn slot(slots: &[Mutex<Slot>], number: u64) -> &Mutex<Slot> {
    &slots[(number % slots.len() as u64) as usize]
}
