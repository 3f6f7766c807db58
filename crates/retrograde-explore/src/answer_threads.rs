//! The threads that share the work of a question, the same for all questions of the process.

use std::sync::OnceLock;

use retrograde_solve::Pool;

use crate::{bounds, usable_threads};

/// `None` where the system refuses them, as where memory or processes are limited.
static THREADS: OnceLock<Option<Pool>> = OnceLock::new();

/// Sets the number of threads that answer questions in the whole process; by default one for each
/// core. Only the first call counts, and only before the first question.
pub fn set_answer_threads(threads: usize) {
    start(|| threads);
}

/// The threads that may share the work of this question: none where there is one at most, as in a
/// browser, or where whoever asks wants no more.
pub(crate) fn answer_threads() -> Option<&'static Pool> {
    if !bounds::may_share() {
        return None;
    }
    start(usable_threads).filter(|pool| pool.threads() > 1)
}

/// The system is asked once how many threads there are: its answer takes longer than many a question.
fn start(threads: impl FnOnce() -> usize) -> Option<&'static Pool> {
    THREADS.get_or_init(|| retrograde_solve::pool(threads()).ok()).as_ref()
}
