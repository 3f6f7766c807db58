//! Where questions are worked on: on threads of their own, so many at a time, within bounds of time and size. What
//! takes longer is given up by whoever waits, and a little later by the thread itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use retrograde_explore::{Bounds, SearchLimits};
use tokio::sync::Semaphore;

use crate::config::Limits;
use crate::problem::Problem;

/// What remains of a question's time when it has to come to its end, to write the answer.
const RESERVE: Duration = Duration::from_millis(100);

/// The threads that answer.
pub(crate) struct Pool {
    workers: Arc<Semaphore>,
    waiting: AtomicUsize,
    limits: Limits,
}

/// What the searches of one question may still take. The bounds of all else hold on the thread that works.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowed {
    nodes: u64,
    until: Instant,
}

impl Allowed {
    /// What the next search may take.
    pub fn search(&self) -> SearchLimits {
        SearchLimits { nodes: self.nodes, time: self.until.saturating_duration_since(Instant::now()) }
    }
}

/// Counts who waits, also when they go away.
struct Waits<'a>(&'a AtomicUsize);

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Pool {
    pub fn new(limits: &Limits) -> Pool {
        Pool {
            workers: Arc::new(Semaphore::new(limits.workers.max(1))),
            waiting: AtomicUsize::new(0),
            limits: limits.clone(),
        }
    }

    /// Works on a question.
    ///
    /// # Errors
    /// What it says; busy if too many wait, timed out if it takes too long.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(Allowed) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let until = Instant::now() + self.limits.time;
        let answer = tokio::time::timeout_at(until.into(), self.work(until, work));
        answer.await.unwrap_or_else(|_| Err(Problem::timed_out()))
    }

    async fn work<T: Send + 'static>(
        &self,
        until: Instant,
        work: impl FnOnce(Allowed) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let permit = match Arc::clone(&self.workers).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                let before = self.waiting.fetch_add(1, Ordering::AcqRel);
                let _waits = Waits(&self.waiting);
                if before >= self.limits.waiting {
                    return Err(Problem::busy());
                }
                let permit = Arc::clone(&self.workers).acquire_owned().await;
                permit.map_err(|_| Problem::busy())?
            }
        };
        let (turns, nodes) = (self.limits.turns, self.limits.search_nodes);
        let search_time = self.limits.search_time;
        let job = tokio::task::spawn_blocking(move || {
            // Held until the work is done, not until the client is tired of waiting.
            let _permit = permit;
            let end = until.checked_sub(RESERVE).unwrap_or(until);
            let allowed = Allowed { nodes, until: end.min(Instant::now() + search_time) };
            Bounds { until: end, turns }.within(|| work(allowed))
        });
        match job.await {
            Ok(answer) => answer,
            Err(error) => Err(Problem::logged(&error)),
        }
    }
}
