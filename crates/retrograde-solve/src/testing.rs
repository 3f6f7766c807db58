//! Helpers for tests of solvers. Requires the feature `testing`.

use std::sync::atomic::{AtomicI64, Ordering};

use crate::{Checkpoint, Job, Progress, SavedState, Scores};
use retrograde_game::{Index, Stored};

/// Keeps the saved state in memory, and is always due.
#[derive(Clone, Default, Debug)]
pub struct MemoryCheckpoint(pub Option<SavedState>);

impl Checkpoint for MemoryCheckpoint {
    fn load(&mut self) -> std::io::Result<Option<SavedState>> {
        Ok(self.0.clone())
    }
    fn due(&self) -> bool {
        true
    }
    fn save(&mut self, stage: u64, parts: &[&[u8]]) -> std::io::Result<()> {
        self.0 = Some(SavedState { stage, bytes: parts.concat() });
        Ok(())
    }
}

/// Progress that stops the solver after a number of calls to [`Progress::stopped`].
#[derive(Debug)]
pub struct StopsAfter(AtomicI64);

impl StopsAfter {
    /// Allows `questions` calls.
    pub fn new(questions: i64) -> StopsAfter {
        StopsAfter(AtomicI64::new(questions))
    }
}

impl Progress for StopsAfter {
    fn stage(&self, _name: &str, _total: u64) {}
    fn advance(&self, _units: u64) {}
    fn stopped(&self) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) <= 0
    }
}

/// Progress that stops the solver after a number of units of work.
#[derive(Debug)]
pub struct StopsAtUnit(AtomicI64);

impl StopsAtUnit {
    /// Allows `units` units.
    pub fn new(units: i64) -> StopsAtUnit {
        StopsAtUnit(AtomicI64::new(units))
    }
}

impl Progress for StopsAtUnit {
    fn stage(&self, _name: &str, _total: u64) {}
    fn advance(&self, units: u64) {
        self.0.fetch_sub(units as i64, Ordering::Relaxed);
    }
    fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed) <= 0
    }
}

/// A job with 1 GiB of memory and without a horizon.
pub fn job<'a>(threads: usize, progress: &'a dyn Progress, checkpoint: &'a mut dyn Checkpoint) -> Job<'a> {
    Job { threads, memory: 1 << 30, horizon: None, progress, checkpoint }
}

/// The stored knowledge at every index.
pub fn all_stored(scores: &Scores) -> Vec<Stored> {
    (0..scores.len() as u64).map(|index| scores.stored(Index(index))).collect()
}
