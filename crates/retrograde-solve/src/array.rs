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
use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::ops::{ControlFlow, Deref, DerefMut, Range};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};

use parking_lot::Mutex;
use rayon::prelude::*;
use retrograde_game::{Dense, Score, Successor};

use crate::job::{Job, SavedState, Scores, SolveError};
use crate::memory::{self, Addresses};
use crate::phase::Phase;
use crate::prefetch::prefetch;
use crate::threads::Pool;
use crate::widths::{Width, stored_narrow, widened};

/// The number of scores that a thread counts at a time.
const COUNTED: usize = 1 << 20;

/// An array with a score per index, all of the same [width](Width).
pub(crate) enum ScoreArray {
    /// A byte per score.
    Narrow(Cells<AtomicU8>),
    /// Two bytes per score.
    Wide(Cells<AtomicU16>),
}

/// Cells in a vector, or at addresses that get memory only when they are written. Both deref to a slice
/// without a branch.
pub(crate) struct Cells<A> {
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

impl<A> Cells<A> {
    fn new(pool: &Pool, len: usize, cell: impl Fn() -> A + Sync) -> Result<Cells<A>, SolveError>
    where
        A: Send,
    {
        let mut cells = Vec::new();
        memory::reserve(&mut cells, len)?;
        let filling = (0..len).into_par_iter().with_min_len(1 << 16).map(|_| cell());
        pool.install(|| filling.collect_into_vec(&mut cells));
        Ok(cells.into())
    }

    /// Memory is released, if the cells were made without.
    fn release(&mut self, range: Range<u64>) {
        if let Owner::Addresses(addresses) = &mut self.owner {
            let bytes = |cells: u64| cells as usize * size_of::<A>();
            addresses.release(bytes(range.start)..bytes(range.end));
        }
    }
}

impl ScoreArray {
    /// Creates an array of `len` copies of a score on all threads. The system clears each page for the thread
    /// that first writes to it, which takes longer than the writing.
    ///
    /// # Errors
    /// [`SolveError::NoMemory`].
    pub(crate) fn new(pool: &Pool, width: Width, len: usize, score: u16) -> Result<ScoreArray, SolveError> {
        Ok(match width {
            Width::Narrow => {
                let score = stored_narrow(score);
                ScoreArray::Narrow(Cells::new(pool, len, || AtomicU8::new(score))?)
            }
            Width::Wide => ScoreArray::Wide(Cells::new(pool, len, || AtomicU16::new(score))?),
        })
    }

    /// Creates an array of `len` two-byte scores that take memory only once they are written, until they are
    /// [released](ScoreArray::release). Scores that were not written have no meaning. Returns `None` if the
    /// system does not support this.
    pub(crate) fn unbacked(len: usize) -> Option<ScoreArray> {
        let addresses = Addresses::new(len.checked_mul(Width::Wide.bytes())?)?;
        // Atomics have the layout of integers, and pages are aligned for all of them.
        let start = addresses.start().cast();
        Some(ScoreArray::Wide(Cells { start, len, owner: Owner::Addresses(addresses) }))
    }

    /// Releases the memory of a range, if the array was made [without memory](ScoreArray::unbacked).
    pub(crate) fn release(&mut self, range: Range<u64>) {
        match self {
            ScoreArray::Narrow(cells) => cells.release(range),
            ScoreArray::Wide(cells) => cells.release(range),
        }
    }

    /// The width of the scores.
    pub(crate) fn width(&self) -> Width {
        match self {
            ScoreArray::Narrow(_) => Width::Narrow,
            ScoreArray::Wide(_) => Width::Wide,
        }
    }

    /// The phase that decides positions that end in exactly `turns` turns. `None` if that is too long.
    pub(crate) fn phase(&self, turns: u16) -> Option<Phase> {
        Phase::new(turns).filter(|phase| phase.turns <= self.width().max_turns())
    }

    /// Returns the score at an index.
    ///
    /// # Panics
    /// If the index is past the end.
    #[inline(always)]
    pub(crate) fn get(&self, index: u64) -> u16 {
        match self {
            ScoreArray::Narrow(cells) => widened(cells[index as usize].load(Ordering::Relaxed)),
            ScoreArray::Wide(cells) => cells[index as usize].load(Ordering::Relaxed),
        }
    }

    /// Whether an index has no score yet.
    ///
    /// # Panics
    /// If the index is past the end.
    #[inline(always)]
    pub(crate) fn is_unknown(&self, index: u64) -> bool {
        match self {
            ScoreArray::Narrow(cells) => cells[index as usize].load(Ordering::Relaxed) == u8::UNKNOWN,
            ScoreArray::Wide(cells) => cells[index as usize].load(Ordering::Relaxed) == u16::UNKNOWN,
        }
    }

    /// Returns the score of a successor for the opponent of the player who made the turn.
    #[inline(always)]
    pub(crate) fn seen(&self, next: Successor) -> u16 {
        seen(next, |index| self.get(index))
    }

    /// Returns the smallest score among the successors of a position, all of which are decided, for the
    /// opponent; `None` if there are no successors.
    #[inline]
    pub(crate) fn smallest<G: Dense>(&self, game: &G, position: &G::Position) -> Option<u16> {
        // Scores of both widths have the same order.
        match self {
            ScoreArray::Narrow(cells) => {
                let score = |index: u64| cells[index as usize].load(Ordering::Relaxed);
                smallest(game, position, score).map(widened)
            }
            ScoreArray::Wide(cells) => {
                smallest(game, position, |index| cells[index as usize].load(Ordering::Relaxed))
            }
        }
    }

    /// Prefetches the score at an index that will be read soon. An index past the end is harmless.
    #[inline]
    pub(crate) fn prefetch(&self, index: u64) {
        match self {
            ScoreArray::Narrow(cells) => prefetch(cells, index as usize),
            ScoreArray::Wide(cells) => prefetch(cells, index as usize),
        }
    }

    /// Writes the score at an index. It must [fit](Width::holds).
    ///
    /// # Panics
    /// If the index is past the end.
    #[inline(always)]
    pub(crate) fn set(&self, index: u64, score: u16) {
        self.setter(score)(index);
    }

    /// Writes the same score at many indices, as [`set`](ScoreArray::set) does.
    #[inline(always)]
    pub(crate) fn setter(&self, score: u16) -> impl Fn(u64) + '_ {
        debug_assert!(self.width().holds(score), "{score} does not fit into a byte");
        let narrow = stored_narrow(score);
        move |index| match self {
            ScoreArray::Narrow(cells) => cells[index as usize].store(narrow, Ordering::Relaxed),
            ScoreArray::Wide(cells) => cells[index as usize].store(score, Ordering::Relaxed),
        }
    }

    /// Writes the score at an index, if it fits. Returns whether it does.
    ///
    /// # Panics
    /// If the index is past the end.
    #[inline(always)]
    pub(crate) fn try_set(&self, index: u64, score: u16) -> bool {
        let fits = self.width().holds(score);
        if fits {
            self.set(index, score);
        }
        fits
    }

    /// The length.
    pub(crate) fn len(&self) -> usize {
        match self {
            ScoreArray::Narrow(cells) => cells.len(),
            ScoreArray::Wide(cells) => cells.len(),
        }
    }

    /// The scores as little-endian bytes, for a checkpoint.
    pub(crate) fn bytes(&mut self) -> Cow<'_, [u8]> {
        let (start, length) = match self {
            ScoreArray::Narrow(cells) => (cells.start.cast(), cells.len()),
            ScoreArray::Wide(cells) if cfg!(target_endian = "big") => {
                return cells.iter_mut().flat_map(|cell| cell.get_mut().to_le_bytes()).collect();
            }
            ScoreArray::Wide(cells) => (cells.start.cast(), 2 * cells.len()),
        };
        // SAFETY: an atomic has the size and bit validity of its integer, which has no padding, so these
        // bytes are initialised; `self` is borrowed exclusively as long as the slice lives, so no thread
        // writes to them.
        Cow::Borrowed(unsafe { std::slice::from_raw_parts(start.as_ptr(), length) })
    }

    /// Reads the scores that a checkpoint saved, if there are `len` of them.
    pub(crate) fn from_bytes(width: Width, bytes: Vec<u8>, len: usize) -> Option<ScoreArray> {
        (bytes.len() == len * width.bytes()).then(|| match width {
            Width::Narrow => {
                ScoreArray::Narrow(bytes.into_iter().map(AtomicU8::new).collect::<Vec<_>>().into())
            }
            Width::Wide => {
                let scores = bytes.as_chunks().0.iter().map(|&bytes| u16::from_le_bytes(bytes));
                ScoreArray::Wide(scores.map(AtomicU16::new).collect::<Vec<_>>().into())
            }
        })
    }

    /// Counts the scores of a range on all threads.
    pub(crate) fn counts(&self, pool: &Pool, range: Range<u64>) -> BTreeMap<u16, u64> {
        let counts = Mutex::new(BTreeMap::new());
        pool.each_range((range.end - range.start) as usize, COUNTED, &|places| {
            let mut here = vec![0_u64; 1 << 16];
            places.for_each(|place| here[usize::from(self.get(range.start + place as u64))] += 1);
            let mut counts = counts.lock();
            for (score, count) in (0..=u16::MAX).zip(here).filter(|&(_, count)| count > 0) {
                *counts.entry(score).or_default() += count;
            }
        });
        counts.into_inner()
    }

    pub(crate) fn into_scores(self) -> Scores {
        // Same layout, so these collect in place.
        let scores = match self {
            ScoreArray::Narrow(cells) => cells
                .into_vec()
                .map(|cells| Scores::Narrow(cells.into_iter().map(AtomicU8::into_inner).collect())),
            ScoreArray::Wide(cells) => cells
                .into_vec()
                .map(|cells| Scores::Wide(cells.into_iter().map(AtomicU16::into_inner).collect())),
        };
        match scores {
            Some(scores) => scores,
            None => unreachable!("scores that are not all in memory are no outcome"),
        }
    }
}

/// The score of a successor for the opponent of the player who made the turn.
#[inline(always)]
fn seen<S: Score>(next: Successor, get: impl Fn(u64) -> S) -> S {
    match next {
        Successor::Terminal(outcome) => S::over(outcome),
        Successor::At(index) => get(index.0),
        Successor::Again(index) => get(index.0).flipped(),
    }
}

#[inline]
fn smallest<G: Dense, S: Score>(
    game: &G,
    position: &G::Position,
    get: impl Fn(u64) -> S + Copy,
) -> Option<S> {
    let mut any = false;
    let mut smallest = S::MAX;
    let _ = game.each_numbered_successor(position, |next| {
        any = true;
        smallest = smallest.min(seen(next, get));
        ControlFlow::Continue(())
    });
    any.then_some(smallest)
}

/// Solves with scores of one width, from a saved state if there is one. Returns `None` if a game is too long
/// for them.
type Attempt<'a> =
    dyn FnMut(&mut Job<'_>, Width, Option<SavedState>) -> Result<Option<Scores>, SolveError> + 'a;

/// Solves with one-byte scores, and again with two-byte scores if a game is too long for them (`None`). A
/// saved state is passed to the solver that saved it.
pub(crate) fn narrow_then_wide(
    count: u128,
    job: &mut Job<'_>,
    attempt: &mut Attempt<'_>,
) -> Result<Scores, SolveError> {
    let saved = job.checkpoint.load()?;
    let (one, two) = match saved {
        Some(saved) if count > 0 && saved.bytes.len() as u128 == 2 * count => (None, Some(saved)),
        saved => (saved, None),
    };
    if two.is_none()
        && let Some(scores) = attempt(job, Width::Narrow, one)?
    {
        return Ok(scores);
    }
    attempt(job, Width::Wide, two)?.ok_or(SolveError::TooDeep)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_survive_a_round_trip_through_bytes() {
        let mut wide = ScoreArray::new(&crate::pool(1).unwrap(), Width::Wide, 3, u16::UNKNOWN).unwrap();
        wide.set(1, 0x1234);
        let bytes = wide.bytes().into_owned();
        assert_eq!(bytes, [0x00, 0x80, 0x34, 0x12, 0x00, 0x80]);
        let again = ScoreArray::from_bytes(Width::Wide, bytes.clone(), 3).unwrap();
        assert_eq!((0..3).map(|at| again.get(at)).collect::<Vec<_>>(), [0x8000, 0x1234, 0x8000]);
        assert!(ScoreArray::from_bytes(Width::Wide, bytes.clone(), 2).is_none());
        let mut narrow = ScoreArray::from_bytes(Width::Narrow, bytes.clone(), 6).unwrap();
        assert_eq!(narrow.bytes().into_owned(), bytes);
    }

    #[test]
    fn phases_end_where_scores_do() {
        for (width, longest) in [(Width::Narrow, u8::MAX_TURNS.0), (Width::Wide, u16::MAX_TURNS.0)] {
            let scores = ScoreArray::new(&crate::pool(1).unwrap(), width, 1, u16::UNKNOWN).unwrap();
            assert!(scores.phase(longest).is_some() && scores.phase(longest + 1).is_none(), "{width:?}");
        }
    }
}
