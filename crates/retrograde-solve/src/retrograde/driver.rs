//! Runs a step for all pieces of a stage on the threads of one machine.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::job::{Progress, SolveError};
use crate::threads::Pool;

/// The memory that is taken already, and the memory that all may take.
#[derive(Clone, Copy)]
pub(crate) struct Memory {
    pub held: u64,
    pub limit: u64,
}

/// The threads, and who may stop them.
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

    /// Does something for every piece, the last first, unless it is stopped.
    pub(crate) fn each<P: Send, T: Send>(
        &self,
        pieces: &mut [P],
        step: impl Fn(&mut P) -> T + Sync,
    ) -> Result<Vec<T>, SolveError> {
        let step = |piece: &mut P| {
            if self.stopped.load(Ordering::Relaxed) || self.progress.stopped() {
                self.stopped.store(true, Ordering::Relaxed);
                return None;
            }
            Some(step(piece))
        };
        // Waking threads costs more than a small stage.
        let done: Option<Vec<T>> = if self.pool.threads() == 1 || pieces.len() <= 1 {
            pieces.iter_mut().rev().map(step).collect()
        } else {
            self.pool.install(|| pieces.par_iter_mut().rev().with_max_len(1).map(step).collect())
        };
        done.ok_or(SolveError::Stopped)
    }
}
