//! What a user should know after a solve, said once and kept for the answer.

use parking_lot::Mutex;
use retrograde_solve::Progress;

/// Hears of progress for another, and keeps the notes.
pub(crate) struct Notes<'a> {
    inner: &'a dyn Progress,
    said: Mutex<Vec<String>>,
}

impl<'a> Notes<'a> {
    pub fn new(inner: &'a dyn Progress) -> Notes<'a> {
        Notes { inner, said: Mutex::default() }
    }

    /// All notes, in the order in which they came.
    pub fn into_vec(self) -> Vec<String> {
        self.said.into_inner()
    }
}

impl Progress for Notes<'_> {
    fn stage(&self, name: &str, total: u64) {
        self.inner.stage(name, total);
    }

    fn advance(&self, units: u64) {
        self.inner.advance(units);
    }

    fn note(&self, text: &str) {
        let mut said = self.said.lock();
        if said.iter().all(|known| known != text) {
            said.push(text.to_owned());
            self.inner.note(text);
        }
    }

    fn stopped(&self) -> bool {
        self.inner.stopped()
    }
}
