//! The means of a solver in tests, and its results. Only with the feature `testing`.

use std::sync::atomic::{AtomicI64, Ordering};

use crate::{Checkpoint, Job, Progress, SavedState, Scores};
use retrograde_game::{Index, Stored};

/// Keeps what is saved in memory, and always thinks it due.
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

/// Progress that stops when it has been asked so many times whether to stop.
#[derive(Debug)]
pub struct StopsAfter(AtomicI64);

impl StopsAfter {
    /// Goes on for so many questions.
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

/// Progress that stops when so many units of work are done.
#[derive(Debug)]
pub struct StopsAtUnit(AtomicI64);

impl StopsAtUnit {
    /// Goes on for so many units.
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

/// A job with a gibibyte of memory and without a horizon.
pub fn job<'a>(threads: usize, progress: &'a dyn Progress, checkpoint: &'a mut dyn Checkpoint) -> Job<'a> {
    Job { threads, memory: 1 << 30, horizon: None, progress, checkpoint }
}

/// The stored knowledge at every index.
pub fn all_stored(scores: &Scores) -> Vec<Stored> {
    (0..scores.len() as u64).map(|index| scores.stored(Index(index))).collect()
}
