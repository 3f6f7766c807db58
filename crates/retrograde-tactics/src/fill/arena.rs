//! An array of blocks. Each block is filled once, by one thread, and can be read once it is filled.
//!
//! It is like a list of `OnceLock`s with contiguous contents, in huge pages if the system supports them. All
//! `unsafe` code for this is in this file.
//!
//! **Invariant.** Every block has a state that only this file changes: `FREE` → `TAKEN` → `FILLED`. A thread
//! that moves it from `FREE` to `TAKEN` (by an atomic exchange, so only one thread can) holds the only
//! reference to the block, a mutable one, in a [`Claim`]. Moving it to `FILLED` (release) consumes the claim.
//! Shared references exist only to `FILLED` blocks (acquire), which cannot be claimed again. So no block is
//! read while it is written or before it is filled, in whatever order a solver works.

use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, Ordering};

use retrograde_solve::{SolveError, memory};

use super::vector::{LANES, Vector};

const FREE: u8 = 0;
const TAKEN: u8 = 1;
const FILLED: u8 = 2;

pub(super) struct Arena {
    start: NonNull<Vector>,
    /// Owns the memory at `start`; its length stays 0.
    _memory: Vec<Vector>,
    /// The number of vectors per block.
    size: usize,
    states: Vec<AtomicU8>,
}

// SAFETY: it owns its memory, and provides references under the invariant above.
unsafe impl Send for Arena {}
// SAFETY: as above.
unsafe impl Sync for Arena {}

impl Arena {
    /// Allocates `blocks` blocks of `size` vectors each.
    pub(super) fn new(blocks: usize, size: usize) -> Result<Arena, SolveError> {
        let mut memory = Vec::new();
        memory::reserve(&mut memory, blocks.saturating_mul(size))?;
        let start = NonNull::from(memory.spare_capacity_mut()).cast();
        let states = (0..blocks).map(|_| AtomicU8::new(FREE)).collect();
        Ok(Arena { start, _memory: memory, size, states })
    }

    fn block(&self, block: usize) -> NonNull<Vector> {
        assert!(block < self.states.len());
        // SAFETY: the block lies within the allocation because of the assertion.
        unsafe { self.start.add(block * self.size) }
    }

    /// Claims a block to fill, initially all ones; `None` if it has been claimed before.
    pub(super) fn claim(&self, block: usize) -> Option<Claim<'_>> {
        let state = self.states.get(block)?;
        state.compare_exchange(FREE, TAKEN, Ordering::Relaxed, Ordering::Relaxed).ok()?;
        let start = self.block(block);
        for at in 0..self.size {
            // SAFETY: it is within the block, and there are no other references to it.
            unsafe { start.add(at).write(Vector::ONES) };
        }
        // SAFETY: it has just been written, and there are no other references to it.
        Some(Claim { vectors: unsafe { std::slice::from_raw_parts_mut(start.as_ptr(), self.size) }, state })
    }

    /// Returns a block if it is filled.
    #[inline]
    pub(super) fn filled(&self, block: usize) -> Option<&[Vector]> {
        if self.states.get(block)?.load(Ordering::Acquire) != FILLED {
            return None;
        }
        // SAFETY: it is filled, so it is initialised and no longer written.
        Some(unsafe { std::slice::from_raw_parts(self.block(block).as_ptr(), self.size) })
    }

    /// Returns the whole array if every block is filled.
    pub(super) fn into_filled(self) -> Option<FilledArena> {
        let filled = self.states.iter().all(|state| state.load(Ordering::Acquire) == FILLED);
        filled.then_some(FilledArena(self))
    }
}

/// A block that is being filled. If it is dropped before [`Claim::fill`], it stays unreadable for ever.
pub(super) struct Claim<'a> {
    vectors: &'a mut [Vector],
    state: &'a AtomicU8,
}

impl Claim<'_> {
    /// Marks the block as filled, so that all threads can read it.
    pub(super) fn fill(self) {
        self.state.store(FILLED, Ordering::Release);
    }
}

impl Deref for Claim<'_> {
    type Target = [Vector];
    fn deref(&self) -> &[Vector] {
        self.vectors
    }
}

impl DerefMut for Claim<'_> {
    fn deref_mut(&mut self) -> &mut [Vector] {
        self.vectors
    }
}

/// An array in which every block is filled.
pub(super) struct FilledArena(Arena);

impl FilledArena {
    /// All blocks as words.
    #[inline]
    pub(super) fn words(&self) -> &[u64] {
        let Arena { start, size, states, .. } = &self.0;
        // SAFETY: every block is filled, and the blocks are contiguous.
        words(unsafe { std::slice::from_raw_parts(start.as_ptr(), size * states.len()) })
    }
}

impl AsRef<[u64]> for FilledArena {
    fn as_ref(&self) -> &[u64] {
        self.words()
    }
}

/// Views vectors as words.
#[inline(always)]
pub(super) fn words(vectors: &[Vector]) -> &[u64] {
    // SAFETY: a vector consists of its words, without padding.
    unsafe { std::slice::from_raw_parts(vectors.as_ptr().cast(), vectors.len() * LANES) }
}

/// Views vectors as words.
#[inline(always)]
pub(super) fn words_mut(vectors: &mut [Vector]) -> &mut [u64] {
    // SAFETY: as above, and borrowed for the same time.
    unsafe { std::slice::from_raw_parts_mut(vectors.as_mut_ptr().cast(), vectors.len() * LANES) }
}

/// Views vectors as the bytes of little-endian words, which are the bytes in memory on most machines.
pub(super) fn bytes(vectors: &[Vector]) -> std::borrow::Cow<'_, [u8]> {
    if cfg!(target_endian = "little") {
        // SAFETY: memory without padding can be read as bytes.
        let bytes = unsafe { std::slice::from_raw_parts(vectors.as_ptr().cast(), size_of_val(vectors)) };
        std::borrow::Cow::Borrowed(bytes)
    } else {
        words(vectors).iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// Fills vectors from the result of [`bytes`].
pub(super) fn read_bytes(vectors: &mut [Vector], bytes: &[u8]) {
    for (word, bytes) in words_mut(vectors).iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_claimed_once_and_read_only_when_filled() {
        let arena = Arena::new(3, 2).unwrap();
        let mut claim = arena.claim(1).unwrap();
        assert!(arena.claim(1).is_none() && arena.filled(1).is_none());
        assert_eq!(claim[1], Vector::ONES);
        claim[1] = Vector([7; LANES]);
        claim.fill();
        assert!(arena.claim(1).is_none());
        assert_eq!(arena.filled(1).unwrap(), [Vector::ONES, Vector([7; LANES])]);
        assert!(arena.claim(2).is_some(), "and here it is dropped");
        assert!(arena.claim(2).is_none() && arena.filled(2).is_none(), "a dropped claim fills nothing");
        assert!(arena.claim(3).is_none() && arena.filled(3).is_none(), "there is no such block");
        assert!(arena.into_filled().is_none());
    }

    #[test]
    fn too_large_arenas_are_rejected() {
        assert!(Arena::new(usize::MAX, 2).is_err());
        assert!(Arena::new(1 << 40, 1 << 16).is_err());
    }

    /// Threads race for the same blocks and read each other's. Each block has one writer, and only its values
    /// are read.
    #[test]
    fn racing_threads_see_whole_blocks_only() {
        let (blocks, size) = (200, 50);
        let arena = Arena::new(blocks, size).unwrap();
        let claims = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (arena, claims) = (&arena, &claims);
                scope.spawn(move || {
                    for block in 0..blocks {
                        if let Some(mut claim) = arena.claim(block) {
                            claims.fetch_add(1, Ordering::Relaxed);
                            for (at, vector) in claim.iter_mut().enumerate() {
                                *vector = Vector([(thread * 1_000_000 + block * 1000 + at) as u64; LANES]);
                            }
                            claim.fill();
                        }
                        for other in (0..blocks).filter(|other| other % 7 == block % 7) {
                            let Some(read) = arena.filled(other) else { continue };
                            let writer = read[0].0[0] / 1_000_000;
                            for (at, vector) in read.iter().enumerate() {
                                let expected = writer * 1_000_000 + (other * 1000 + at) as u64;
                                assert_eq!(vector.0, [expected; LANES]);
                            }
                        }
                    }
                });
            }
        });
        assert_eq!(claims.into_inner(), blocks);
        assert_eq!(arena.into_filled().unwrap().words().len(), blocks * size * LANES);
    }
}
