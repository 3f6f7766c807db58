//! The threads that share the work of requests, the same for the whole process.

use std::sync::OnceLock;

use retrograde_solve::Pool;

use crate::{bounds, usable_threads};

/// `None` if the system refuses to create them, for example because memory or processes are limited.
static THREADS: OnceLock<Option<Pool>> = OnceLock::new();

/// Sets the number of threads that answer requests in the whole process; by default one per core. Only the
/// first call has an effect, and only before the first request.
pub fn set_answer_threads(threads: usize) {
    start(|| threads);
}

/// The threads that may share the work of this request; `None` if there is at most one, as in a browser, or
/// if the caller wants only one.
pub(crate) fn answer_threads() -> Option<&'static Pool> {
    if !bounds::may_use_other_threads() {
        return None;
    }
    start(usable_threads).filter(|pool| pool.threads() > 1)
}

/// Cached, since asking the system takes longer than many requests.
fn start(threads: impl FnOnce() -> usize) -> Option<&'static Pool> {
    THREADS.get_or_init(|| retrograde_solve::pool(threads()).ok()).as_ref()
}
