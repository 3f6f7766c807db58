//! An array of scores that threads share without locks.
//!
//! Scores are read and written as relaxed atomics, which compile to plain loads and stores. The values are
//! right because of the order of the work, not of memory: a solver reads an index only after the range that
//! contains it has been joined, so no read races with the write that it depends on.
//!
//! Checkpoints borrow the whole array as bytes, since a copy would double the memory. That relies on
//! atomics having the size and bit validity of their integers, as the standard library promises, and on the
//! exclusive borrow, which excludes all other threads.

use std::borrow::Cow;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};

use rayon::prelude::*;
use retrograde_game::{Score, Successor};

use crate::job::{Job, SavedState, Scores, SolveError};
use crate::memory::{self, Addresses};
use crate::prefetch::prefetch;
use crate::threads::Pool;
use crate::widths::{narrowed, widened};

/// A score that threads can share.
pub trait SharedScore: Score + Into<u16> {
    /// Its atomic form.
    type Atomic: Sync + Send;
    /// A new cell.
    fn atomic(self) -> Self::Atomic;
    /// The score in a cell.
    fn load(cell: &Self::Atomic) -> Self;
    /// Writes the score in a cell.
    fn store(cell: &Self::Atomic, score: Self);
    /// Converts the array to the result of a solver.
    fn scores(array: Vec<Self::Atomic>) -> Scores;
    /// Returns the array as little-endian bytes.
    fn bytes(array: &mut [Self::Atomic]) -> Cow<'_, [u8]>;
    /// Reads the array from little-endian bytes. An incomplete score at the end is dropped.
    fn from_bytes(bytes: Vec<u8>) -> Vec<Self::Atomic>;
    /// Returns the equivalent two-byte score.
    fn widened(self) -> u16;
    /// Returns the equivalent of a two-byte score, if it fits.
    fn narrowed(score: u16) -> Option<Self>;
    /// Appends the score to little-endian bytes.
    fn put(self, out: &mut Vec<u8>);
    /// Reads score number `at` from little-endian bytes, if there are enough.
    fn take(bytes: &[u8], at: usize) -> Option<Self>;
}

macro_rules! shared {
    ($int:ty, $atomic:ty, $variant:ident, $widened:path, $narrowed:path) => {
        impl SharedScore for $int {
            type Atomic = $atomic;
            #[inline]
            fn atomic(self) -> $atomic {
                <$atomic>::new(self)
            }
            #[inline]
            fn load(cell: &$atomic) -> Self {
                cell.load(Ordering::Relaxed)
            }
            #[inline]
            fn store(cell: &$atomic, score: Self) {
                cell.store(score, Ordering::Relaxed);
            }
            fn scores(array: Vec<$atomic>) -> Scores {
                // Same layout, so this collects in place.
                Scores::$variant(array.into_iter().map(<$atomic>::into_inner).collect())
            }
            fn bytes(array: &mut [$atomic]) -> Cow<'_, [u8]> {
                if cfg!(target_endian = "big") && Self::BYTES > 1 {
                    return array.iter().flat_map(|cell| Self::load(cell).to_le_bytes()).collect();
                }
                // SAFETY: the atomic has the size and bit validity of its integer, which has no
                // padding, so these bytes are initialised; `array` is borrowed exclusively as long
                // as the slice lives, so no thread writes to them.
                Cow::Borrowed(unsafe {
                    std::slice::from_raw_parts(array.as_ptr().cast::<u8>(), size_of_val(array))
                })
            }
            fn from_bytes(bytes: Vec<u8>) -> Vec<$atomic> {
                let (whole, _) = bytes.as_chunks::<{ size_of::<$int>() }>();
                whole.iter().map(|&bytes| <$atomic>::new(<$int>::from_le_bytes(bytes))).collect()
            }
            #[inline]
            fn widened(self) -> u16 {
                $widened(self)
            }
            #[inline]
            fn narrowed(score: u16) -> Option<Self> {
                $narrowed(score)
            }
            #[inline]
            fn put(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            #[inline]
            fn take(bytes: &[u8], at: usize) -> Option<Self> {
                let (whole, _) = bytes.as_chunks::<{ size_of::<$int>() }>();
                whole.get(at).map(|&bytes| <$int>::from_le_bytes(bytes))
            }
        }
    };
}

shared!(u8, AtomicU8, Narrow, widened, narrowed);
shared!(u16, AtomicU16, Wide, std::convert::identity, Some);

/// An array with a score per index.
pub struct ScoreArray<S: SharedScore>(Cells<S::Atomic>);

/// Cells in a vector, or at addresses that get memory only when they are written. Both deref to a slice
/// without a branch.
struct Cells<A> {
    start: NonNull<A>,
    len: usize,
    owner: Owner,
}

enum Owner {
    /// A vector with this capacity.
    Vec(usize),
    Addresses(Addresses),
}

// SAFETY: it owns its cells.
unsafe impl<A: Send> Send for Cells<A> {}
// SAFETY: it lends them as a slice does.
unsafe impl<A: Sync> Sync for Cells<A> {}

impl<A> From<Vec<A>> for Cells<A> {
    fn from(cells: Vec<A>) -> Cells<A> {
        let mut cells = ManuallyDrop::new(cells);
        let start = NonNull::from(cells.as_mut_slice()).cast();
        Cells { start, len: cells.len(), owner: Owner::Vec(cells.capacity()) }
    }
}

impl<A> Cells<A> {
    /// Returns the vector that holds the cells, if there is one.
    fn into_vec(self) -> Option<Vec<A>> {
        let this = ManuallyDrop::new(self);
        match &this.owner {
            Owner::Vec(capacity) => {
                // SAFETY: these are the parts of the vector that `start` came from, and this is their only
                // owner.
                Some(unsafe { Vec::from_raw_parts(this.start.as_ptr(), this.len, *capacity) })
            }
            Owner::Addresses(_) => {
                drop(ManuallyDrop::into_inner(this));
                None
            }
        }
    }
}

impl<A> Deref for Cells<A> {
    type Target = [A];
    #[inline(always)]
    fn deref(&self) -> &[A] {
        // SAFETY: the owner holds `len` cells at `start`, and every bit pattern is valid: the cells of a
        // vector were written, others are zeros.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<A> DerefMut for Cells<A> {
    fn deref_mut(&mut self) -> &mut [A] {
        // SAFETY: as above, and they are borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<A> Drop for Cells<A> {
    fn drop(&mut self) {
        if let Owner::Vec(capacity) = self.owner {
            // SAFETY: as in `into_vec`.
            drop(unsafe { Vec::from_raw_parts(self.start.as_ptr(), self.len, capacity) });
        }
    }
}

impl<S: SharedScore> ScoreArray<S> {
    /// Creates an array of `len` copies of a score.
    ///
    /// # Errors
    /// [`SolveError::NoMemory`].
    pub fn new(len: usize, score: S) -> Result<ScoreArray<S>, SolveError> {
        let mut scores = Vec::new();
        memory::reserve(&mut scores, len)?;
        scores.extend((0..len).map(|_| score.atomic()));
        Ok(ScoreArray(scores.into()))
    }

    /// Creates an array of `len` copies of a score on all threads. The system clears each page for the thread
    /// that first writes to it, which takes longer than the writing.
    ///
    /// # Errors
    /// [`SolveError::NoMemory`].
    pub(crate) fn filled(pool: &Pool, len: usize, score: S) -> Result<ScoreArray<S>, SolveError> {
        let mut scores = Vec::new();
        memory::reserve(&mut scores, len)?;
        let cells = (0..len).into_par_iter().with_min_len(1 << 16).map(|_| score.atomic());
        pool.install(|| cells.collect_into_vec(&mut scores));
        Ok(ScoreArray(scores.into()))
    }

    /// Creates an array of `len` scores that take memory only once they are written, until they are
    /// [released](ScoreArray::release). Scores that were not written have no meaning. Returns `None` if the
    /// system does not support this.
    pub(crate) fn unbacked(len: usize) -> Option<ScoreArray<S>> {
        let addresses = Addresses::new(len.checked_mul(S::BYTES)?)?;
        // Atomics have the layout of integers, and pages are aligned for all of them.
        Some(ScoreArray(Cells { start: addresses.start().cast(), len, owner: Owner::Addresses(addresses) }))
    }

    /// Releases the memory of a range, if the array was made [without memory](ScoreArray::unbacked).
    pub(crate) fn release(&mut self, range: Range<u64>) {
        if let Owner::Addresses(addresses) = &mut self.0.owner {
            addresses.release(range.start as usize * S::BYTES..range.end as usize * S::BYTES);
        }
    }

    /// Returns the score at an index.
    ///
    /// # Panics
    /// If the index is past the end.
    #[inline]
    pub fn get(&self, index: u64) -> S {
        S::load(&self.0[index as usize])
    }

    /// Returns the score of a successor for the opponent of the player who made the turn.
    #[inline]
    pub(crate) fn seen(&self, next: Successor) -> S {
        match next {
            Successor::Terminal(outcome) => S::over(outcome),
            Successor::At(index) => self.get(index.0),
            Successor::Again(index) => self.get(index.0).flipped(),
        }
    }

    /// Prefetches the score at an index that will be read soon. An index past the end is harmless.
    #[inline]
    pub(crate) fn prefetch(&self, index: u64) {
        prefetch(&self.0, index as usize);
    }

    /// Writes the score at an index.
    ///
    /// # Panics
    /// If the index is past the end.
    #[inline]
    pub fn set(&self, index: u64, score: S) {
        S::store(&self.0[index as usize], score);
    }

    /// The length.
    #[allow(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The scores as bytes, for a checkpoint.
    pub fn bytes(&mut self) -> Cow<'_, [u8]> {
        S::bytes(&mut self.0)
    }

    /// Reads the scores that a checkpoint saved, if there are `len` of them.
    pub(crate) fn from_bytes(bytes: Vec<u8>, len: usize) -> Option<ScoreArray<S>> {
        (bytes.len() == len * S::BYTES).then(|| ScoreArray(S::from_bytes(bytes).into()))
    }

    pub(crate) fn into_scores(self) -> Scores {
        match self.0.into_vec() {
            Some(scores) => S::scores(scores),
            None => unreachable!("scores that are not all in memory are no outcome"),
        }
    }
}

/// Solves with one-byte scores, and again with two-byte scores if a game is too long for them (`None`). A
/// saved state is passed to the solver that saved it.
pub(crate) fn narrow_then_wide(
    count: u128,
    job: &mut Job<'_>,
    narrow: impl Fn(&mut Job<'_>, Option<SavedState>) -> Result<Option<Scores>, SolveError>,
    wide: impl Fn(&mut Job<'_>, Option<SavedState>) -> Result<Option<Scores>, SolveError>,
) -> Result<Scores, SolveError> {
    let saved = job.checkpoint.load()?;
    let (one, two) = match saved {
        Some(saved) if count > 0 && saved.bytes.len() as u128 == 2 * count => (None, Some(saved)),
        saved => (saved, None),
    };
    if two.is_none()
        && let Some(scores) = narrow(job, one)?
    {
        return Ok(scores);
    }
    wide(job, two)?.ok_or(SolveError::TooDeep)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_survive_a_round_trip_through_bytes() {
        let mut wide = ScoreArray::<u16>::new(3, u16::UNKNOWN).unwrap();
        wide.set(1, 0x1234);
        let bytes = wide.bytes().into_owned();
        assert_eq!(bytes, [0x00, 0x80, 0x34, 0x12, 0x00, 0x80]);
        let again = ScoreArray::<u16>::from_bytes(bytes.clone(), 3).unwrap();
        assert_eq!((0..3).map(|at| again.get(at)).collect::<Vec<_>>(), [0x8000, 0x1234, 0x8000]);
        assert!(ScoreArray::<u16>::from_bytes(bytes.clone(), 2).is_none());
        let mut narrow = ScoreArray::<u8>::from_bytes(bytes.clone(), 6).unwrap();
        assert_eq!(narrow.bytes().into_owned(), bytes);
    }
}
