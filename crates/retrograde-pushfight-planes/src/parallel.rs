//! Runs work on several threads.

#[cfg(feature = "measure")]
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use retrograde_solve::{Progress, SolveError};

/// Runs `work` on several threads, including the calling thread.
pub(crate) fn on_threads(threads: usize, work: impl Fn() + Sync) {
    #[cfg(feature = "measure")]
    let before = thread_nanoseconds();
    retrograde_solve::on_threads(threads, work);
    #[cfg(feature = "measure")]
    SHARED.fetch_add(thread_nanoseconds() - before, Ordering::Relaxed);
}

/// Calls `act` on each item, on several threads.
pub(crate) fn for_each_parallel<T: Send>(threads: usize, items: Vec<T>, act: impl Fn(T) + Sync) {
    let items = Mutex::new(items.into_iter());
    let next = || items.lock().next();
    let work = || {
        while let Some(item) = next() {
            act(item);
        }
    };
    on_threads(threads, work);
}

/// Calls `act` on each item, on several threads, and advances `progress` by one for each.
///
/// # Errors
/// The errors of [`try_for_each_with`].
pub(crate) fn try_for_each<T: Send>(
    threads: usize,
    items: Vec<T>,
    progress: &dyn Progress,
    act: impl Fn(T) -> Result<(), SolveError> + Sync,
) -> Result<(), SolveError> {
    try_for_each_with(threads, items, progress, || (), |(), item| act(item))
}

/// [`try_for_each`], with scratch memory for each thread.
///
/// # Errors
/// The first error of `act`; [`SolveError::Stopped`] if `progress` was stopped before the last item.
pub(crate) fn try_for_each_with<T: Send, S>(
    threads: usize,
    items: Vec<T>,
    progress: &dyn Progress,
    scratch: impl Fn() -> S + Sync,
    act: impl Fn(&mut S, T) -> Result<(), SolveError> + Sync,
) -> Result<(), SolveError> {
    let (items, failed) = (Mutex::new(items.into_iter()), Mutex::new(None));
    let next = || if failed.lock().is_none() { items.lock().next() } else { None };
    on_threads(threads, || {
        let mut scratch = scratch();
        while let Some(item) = next() {
            let result = if progress.stopped() { Err(SolveError::Stopped) } else { act(&mut scratch, item) };
            match result {
                Ok(()) => progress.advance(1),
                Err(error) => drop(failed.lock().get_or_insert(error)),
            }
        }
    });
    failed.into_inner().map_or(Ok(()), Err)
}

/// The processor time of the solving thread in [`on_threads`].
#[cfg(feature = "measure")]
static SHARED: AtomicU64 = AtomicU64::new(0);

/// The processor time of this thread, as Linux counts it; 0 elsewhere.
#[cfg(feature = "measure")]
fn thread_nanoseconds() -> u64 {
    let read = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    read.and_then(|line| line.split(' ').next()?.parse().ok()).unwrap_or(0)
}

/// The processor time in seconds that the calling thread has spent outside of parallel work: the part
/// of a solve that more threads do not shorten. (Linux only.)
#[cfg(feature = "measure")]
#[must_use]
pub fn serial_seconds() -> f64 {
    (thread_nanoseconds() - SHARED.load(Ordering::Relaxed)) as f64 / 1e9
}
