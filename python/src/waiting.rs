//! Runs long work on a separate thread while the calling Python thread waits, so that Ctrl-C stops the work
//! cleanly and a progress bar can be drawn.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use pyo3::prelude::*;
use retrograde_explore::Bounds;
use retrograde_solve::Progress;

/// The interval for checking signals and calling the listener.
const TICK: Duration = Duration::from_millis(50);

/// A year, in place of no limit.
const LONG: Duration = Duration::from_secs(365 * 24 * 3600);

/// The state that the worker and the waiting thread share.
#[derive(Default)]
pub(crate) struct Watched {
    stage: Mutex<(String, u64)>,
    done: AtomicU64,
    ended: Arc<AtomicBool>,
    over: Mutex<bool>,
    wakes: Condvar,
}

impl Progress for Watched {
    fn stage(&self, name: &str, total: u64) {
        *self.stage.lock() = (name.to_owned(), total);
        self.done.store(0, Ordering::Relaxed);
    }

    fn advance(&self, units: u64) {
        self.done.fetch_add(units, Ordering::Relaxed);
    }

    fn stopped(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}

/// Marks the worker as done on drop, even if it panics.
struct Done<'a>(&'a Watched);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        *self.0.over.lock() = true;
        self.0.wakes.notify_all();
    }
}

impl Watched {
    /// Waits for the worker for at most a tick; returns whether it is done.
    fn is_over_after_a_tick(&self) -> bool {
        let mut over = self.over.lock();
        if !*over {
            self.wakes.wait_for(&mut over, TICK);
        }
        *over
    }

    /// Bounds without limits that end when the work is stopped.
    pub(crate) fn bounds(&self) -> Bounds {
        Bounds {
            until: Instant::now() + LONG,
            ended: Some(self.ended.clone()),
            looks: u64::MAX,
            turns: u64::MAX,
            memory: u64::MAX,
            threads: true,
        }
    }

    /// Calls the listener with the progress.
    fn tell(&self, listener: &Bound<'_, PyAny>) -> PyResult<()> {
        let (name, total) = self.stage.lock().clone();
        listener.call1((name, self.done.load(Ordering::Relaxed), total))?;
        Ok(())
    }
}

/// Does long work; `listener` is called with the stage, the units done and their total (0 if unknown).
///
/// # Errors
/// Returns what a signal handler or the listener raises, such as `KeyboardInterrupt` after Ctrl-C. The
/// work has stopped and saved its state by then.
pub(crate) fn wait<T: Send>(
    py: Python<'_>,
    listener: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Watched) -> T + Send,
) -> PyResult<T> {
    let watched = &Watched::default();
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().spawn_scoped(scope, move || {
            let _done = Done(watched);
            work(watched)
        })?;
        let mut raised = Ok(());
        while !py.detach(|| watched.is_over_after_a_tick()) {
            if raised.is_ok() {
                raised = py.check_signals();
            }
            if let (Ok(()), Some(listener)) = (&raised, listener) {
                raised = watched.tell(listener);
            }
            if raised.is_err() {
                watched.ended.store(true, Ordering::Relaxed);
            }
        }
        match worker.join() {
            Ok(result) => raised.map(|()| result),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
