//! Notes for the user of a solve, shown once and kept for the answer.

use parking_lot::Mutex;
use retrograde_solve::Progress;

use crate::AnyGame;
use crate::game::solvers::SolverSpec;

/// Games with fewer indices are solved quickly in any case.
const MIN_INDICES: u128 = 100_000;

/// Tells the user that predecessors would speed up the solve, if it matters. The figure was
/// measured on Teeko of 4 × 4 squares: see docs/write-your-own-game.md.
pub(crate) fn note_missing_predecessors(entry: &AnyGame, spec: &SolverSpec) -> Option<String> {
    let (_, indices) = entry.index_counts()?;
    let name = entry.game.name();
    (spec.searches_predecessors && indices >= MIN_INDICES).then(|| {
        format!(
            "{name} provides no predecessors (`Unmoves` or `Predecessors`), so it is solved by search; with \
             them, Teeko 4 × 4 was solved 14 times faster"
        )
    })
}

/// Forwards progress and keeps the notes.
pub(crate) struct Notes<'a> {
    pub inner: &'a dyn Progress,
    /// All notes, in order.
    pub notes: Mutex<Vec<String>>,
}

impl Progress for Notes<'_> {
    fn stage(&self, name: &str, total: u64) {
        self.inner.stage(name, total);
    }

    fn advance(&self, units: u64) {
        self.inner.advance(units);
    }

    fn note(&self, text: &str) {
        let mut notes = self.notes.lock();
        if notes.iter().all(|known| known != text) {
            notes.push(text.to_owned());
            self.inner.note(text);
        }
    }

    fn stopped(&self) -> bool {
        self.inner.stopped()
    }
}
