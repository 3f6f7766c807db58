//! Long work: solving, checking, counting, data sets. A page of a site has to load a module before it can
//! show a value, so there is a module that only answers queries, a third of the size. It is built from the
//! same code: for WebAssembly, long work is only compiled with the feature `solving`.

use retrograde_game::{BrokenPromise, until_broken};
use retrograde_solve::{Progress, SolveError};

use crate::Error;

/// Whether this program can do long work.
pub const LONG_WORK: bool = cfg!(any(not(target_family = "wasm"), feature = "solving"));

/// Runs long work, or returns an error if this program cannot do it. In that case nothing that only the work
/// needs is linked.
pub(crate) fn long_work<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    if LONG_WORK {
        until_broken(work).unwrap_or_else(|BrokenPromise(text)| Err(SolveError::BrokenPromise(text).into()))
    } else {
        Err(Error::Unsupported(
            "this module only answers queries; it cannot solve, check or count".to_owned(),
        ))
    }
}

/// The resources of a task that reads a whole table.
pub struct Resources<'a> {
    /// Threads to use, at least 1.
    pub threads: usize,
    /// Bytes of memory.
    pub memory: u64,
    /// Receives progress and may stop the work.
    pub progress: &'a dyn Progress,
}

impl<'a> Resources<'a> {
    /// Resources with these threads and this memory in bytes; without a limit,
    /// [`allowed_memory`](crate::allowed_memory).
    pub fn new(threads: usize, memory: Option<u64>, progress: &'a dyn Progress) -> Resources<'a> {
        let memory = crate::machine::allowed_memory(memory);
        Resources { threads: threads.max(1), memory, progress }
    }
}
