//! The settings of a solve: threads, memory, horizon, storage, progress. Every room that does long
//! work takes them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use retrograde_game::Turns;
use retrograde_solve::Progress;
use retrograde_table::Storage;

/// What [`solve_logged`] may take, and whom it tells.
pub struct SolveConfig<'a> {
    /// Threads to use.
    pub threads: usize,
    /// If given, only what ends within so many turns is decided.
    pub horizon: Option<Turns>,
    /// Hears how far it is, and may stop it.
    pub progress: &'a dyn Progress,
    /// The storage for the logs.
    pub storage: Arc<dyn Storage>,
    /// Into how many parts the board is cut, of which one is in memory at a time; 1: all of it is.
    pub parts: usize,
    /// Bytes of memory that may be taken. What is needed is taken in any case, and what makes it faster if there is room.
    pub memory: u64,
}

impl<'a> SolveConfig<'a> {
    /// The same with another horizon.
    pub(crate) fn within(&self, horizon: Option<Turns>) -> SolveConfig<'a> {
        SolveConfig { horizon, storage: self.storage.clone(), ..*self }
    }
}

/// Also stops when a log cannot be written.
pub(crate) struct StopOnFailure<'a> {
    pub inner: &'a dyn Progress,
    pub failed: &'a AtomicBool,
}

impl Progress for StopOnFailure<'_> {
    fn stage(&self, name: &str, total: u64) {
        self.inner.stage(name, total);
    }
    fn advance(&self, units: u64) {
        self.inner.advance(units);
    }
    fn stopped(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || self.inner.stopped()
    }
}
