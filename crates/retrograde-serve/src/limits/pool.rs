//! Answers questions on threads of their own: a bounded number at a time, each within limits of
//! time and size. When the time is over the client gets a problem at once, and the thread stops a
//! little later.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use retrograde_explore::{Bounds, SearchLimits};
use tokio::sync::Semaphore;

use crate::config::Limits;
use crate::message::refusal::Refusal;

/// Time reserved for writing the answer.
const RESERVE: Duration = Duration::from_millis(100);

/// The threads that answer questions.
pub(crate) struct Pool {
    workers: Arc<Semaphore>,
    waiting: AtomicUsize,
    limits: Limits,
}

/// The remaining nodes and time for the searches of one question. The thread itself enforces all
/// other limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchBudget {
    nodes: u64,
    until: Instant,
}

impl SearchBudget {
    /// Limits of the next search.
    pub fn search(&self) -> SearchLimits {
        SearchLimits { nodes: self.nodes, time: self.until.saturating_duration_since(Instant::now()) }
    }
}

/// Counts one waiting question, until it is dropped.
struct WaitingGuard<'a>(&'a AtomicUsize);

impl Drop for WaitingGuard<'_> {
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

    /// Answers a question.
    ///
    /// # Errors
    /// The errors of `work`; busy if too many questions wait, timed out if this one takes too long.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(SearchBudget) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let until = Instant::now() + self.limits.time;
        let answer = tokio::time::timeout_at(until.into(), self.work(until, work));
        answer.await.unwrap_or_else(|_| Err(Refusal::timed_out()))
    }

    async fn work<T: Send + 'static>(
        &self,
        until: Instant,
        work: impl FnOnce(SearchBudget) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let permit = match Arc::clone(&self.workers).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                let before = self.waiting.fetch_add(1, Ordering::AcqRel);
                let _waits = WaitingGuard(&self.waiting);
                if before >= self.limits.waiting {
                    return Err(Refusal::busy());
                }
                let permit = Arc::clone(&self.workers).acquire_owned().await;
                permit.map_err(|_| Refusal::busy())?
            }
        };
        let (turns, nodes) = (self.limits.turns, self.limits.search_nodes);
        let search_time = self.limits.search_time;
        let job = tokio::task::spawn_blocking(move || {
            // Held until the work is done, not until the client is tired of waiting.
            let _permit = permit;
            let end = until.checked_sub(RESERVE).unwrap_or(until);
            let budget = SearchBudget { nodes, until: end.min(Instant::now() + search_time) };
            Bounds { until: end, turns }.within(|| work(budget))
        });
        match job.await {
            Ok(answer) => answer,
            Err(error) => Err(Refusal::logged(&error)),
        }
    }
}
