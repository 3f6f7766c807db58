//! A cache of decoded blocks. Small tables keep every block that was probed, without locks: a probe
//! is then two dependent memory reads. Large tables keep a bounded number of blocks, each in the
//! one slot for its number, and lock the slot while they read it.

use std::sync::OnceLock;

use parking_lot::Mutex;

pub(crate) enum Cache {
    /// All blocks, each set when it is first needed.
    Unbounded(Box<[OnceLock<Box<[u8]>>]>),
    /// A bounded number of blocks.
    Bounded(Box<[Mutex<Slot>]>),
}

/// A block with its number.
pub(crate) struct Slot {
    number: u64,
    block: Box<[u8]>,
}

/// The number of an empty slot; no block has it.
const EMPTY: u64 = u64::MAX;

impl Cache {
    /// A cache with room for all of `blocks` blocks.
    pub fn unbounded(blocks: u64) -> Cache {
        Cache::Unbounded((0..blocks).map(|_| OnceLock::new()).collect())
    }

    /// A cache that keeps at most `slots` blocks, and at least one.
    pub fn bounded(slots: u64) -> Cache {
        let empty = || Mutex::new(Slot { number: EMPTY, block: Box::new([]) });
        Cache::Bounded((0..slots.max(1)).map(|_| empty()).collect())
    }

    /// The most blocks that it keeps.
    pub fn places(&self) -> u64 {
        match self {
            Cache::Unbounded(blocks) => blocks.len() as u64,
            Cache::Bounded(slots) => slots.len() as u64,
        }
    }

    /// Calls `look` with a block if it is cached.
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

    /// Caches a block.
    pub fn insert(&self, number: u64, block: Box<[u8]>) {
        match self {
            Cache::Unbounded(blocks) => {
                if let Some(place) = blocks.get(number as usize) {
                    // Another thread may have set it first; it has read the same bytes.
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

/// The slot of a block. Neighbouring blocks have different slots.
fn slot(slots: &[Mutex<Slot>], number: u64) -> &Mutex<Slot> {
    &slots[(number % slots.len() as u64) as usize]
}
