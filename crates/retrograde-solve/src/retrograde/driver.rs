//! Runs a step for all pieces of a stage on the threads of one machine.

use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use crate::job::{Progress, SolveError};
use crate::threads::Pool;

/// The number of positions from which other threads are woken. Waking them takes as long as a few thousand
/// positions, and games with stages have thousands of short steps.
const WORTH_WAKING: u64 = 1 << 12;

/// The memory in use, and the limit.
#[derive(Clone, Copy)]
pub(crate) struct Memory {
    pub held: u64,
    pub limit: u64,
}

/// The threads of a solve, and whether it was stopped.
pub(crate) struct Driver<'a> {
    pub pool: Pool,
    pub progress: &'a dyn Progress,
    pub memory: Memory,
    stopped: AtomicBool,
}

impl<'a> Driver<'a> {
    pub(crate) fn new(pool: Pool, progress: &'a dyn Progress, memory: Memory) -> Driver<'a> {
        Driver { pool, progress, memory, stopped: AtomicBool::new(false) }
    }

    /// Runs a step for every piece, the last first, unless it is stopped. The step examines about `positions`
    /// positions; for few of them no other thread is woken.
    pub(crate) fn each<P: Send>(
        &self,
        pieces: &mut [P],
        positions: u64,
        step: &(dyn Fn(&mut P) + Sync),
    ) -> Result<(), SolveError> {
        // No two threads request the same piece.
        let pieces: Vec<Mutex<&mut P>> = pieces.iter_mut().rev().map(Mutex::new).collect();
        let work = |number: usize| {
            if self.stopped.load(Ordering::Relaxed) || self.progress.stopped() {
                self.stopped.store(true, Ordering::Relaxed);
            } else {
                step(&mut pieces[number].lock());
            }
        };
        if positions < WORTH_WAKING {
            (0..pieces.len()).for_each(work);
        } else {
            self.pool.each(pieces.len(), &work);
        }
        if self.stopped.load(Ordering::Relaxed) { Err(SolveError::Stopped) } else { Ok(()) }
    }
}
