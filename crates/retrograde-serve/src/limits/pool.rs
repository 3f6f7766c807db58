//! Answers requests on worker threads: a bounded number at a time, each with limits on time and size.
//! [`Shares`] decides which client is next.
//!
//! A request is first tried for a few milliseconds, within narrow bounds. If it exceeds them, it starts
//! over with the maximum bounds in a lane with few workers. Nothing is kept of the first try, so waiting
//! requests hold no memory. After the timeout the client receives a problem immediately, and the thread
//! stops soon afterwards.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use retrograde_explore::{Bounds, SearchLimits};
use tokio::sync::oneshot;
use tokio::time::{timeout, timeout_at};

use super::client::Client;
use super::shares::{Allowance, Lane, Run, Shares};
use crate::config::Limits;
use crate::message::refusal::Refusal;

/// The time reserved for writing the answer.
const RESERVE: Duration = Duration::from_millis(100);
/// The interval at which a waiting request checks whether another client must make room.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);
/// The share of a request's bounds in the quick lane.
const QUICK_PART: u64 = 4;

/// A request that waits for a worker.
type Ticket = oneshot::Sender<Permit>;

/// The threads that answer requests.
#[derive(Clone)]
pub(crate) struct Pool {
    shares: Arc<Mutex<Shares<Ticket>>>,
    limits: Arc<Limits>,
}

/// The expected duration of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effort {
    /// Unknown; most requests are quick.
    Unknown,
    /// It takes long and cannot be interrupted.
    Long,
    /// It opens a game or plans a solve.
    Opening,
}

/// The remaining nodes and time for the searches of one request. The thread enforces all other limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchBudget {
    nodes: u64,
    until: Instant,
}

impl SearchBudget {
    /// The limits of the next search.
    pub fn search(&self) -> SearchLimits {
        SearchLimits {
            nodes: self.nodes,
            time: self.until.saturating_duration_since(Instant::now()),
            depth: None,
        }
    }
}

/// Occupies a worker until it is dropped.
struct Permit {
    pool: Pool,
    run: Run,
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.pool.shares.lock().leave(&self.run, Instant::now());
        self.pool.give(self.run.lane);
    }
}

impl Pool {
    pub fn new(limits: &Limits) -> Pool {
        let long = limits.long_workers.clamp(1, limits.workers.max(2) - 1);
        let workers = [limits.workers.max(2) - long, long, limits.opening_workers];
        let per_second = limits.work.max(Duration::from_millis(1));
        let allowance = Allowance { per_second, max_debt: per_second * limits.work_burst };
        let shares = Shares::new(workers, allowance, limits.waiting);
        Pool { shares: Arc::new(Mutex::new(shares)), limits: Arc::new(limits.clone()) }
    }

    /// Charges a client for work that was done elsewhere.
    pub fn charge(&self, client: Client, work: Duration) {
        self.shares.lock().charge(client, work, Instant::now());
    }

    /// How long a client will stay above its allowance.
    pub fn wait_of(&self, client: Client) -> Option<Duration> {
        self.shares.lock().above(client, Instant::now())
    }

    /// Answers a request. `work` may be called twice.
    ///
    /// # Errors
    /// Returns the errors of `work`; too much work if the client exceeds its allowance and others wait; busy
    /// if too many requests wait; timed out if this one takes too long.
    pub async fn run<T: Send + 'static>(
        &self,
        client: Client,
        effort: Effort,
        work: impl Fn(SearchBudget) -> Result<T, Refusal> + Send + Sync + 'static,
    ) -> Result<T, Refusal> {
        if self.shares.lock().delay_for_others(client, Instant::now()).is_some() {
            return Err(Refusal::too_much_work());
        }
        let until = Instant::now() + self.limits.time;
        let answer = timeout_at(until.into(), self.work(client, effort, until, Arc::new(work)));
        answer.await.unwrap_or_else(|_| Err(Refusal::timed_out()))
    }

    async fn work<T: Send + 'static>(
        &self,
        client: Client,
        effort: Effort,
        until: Instant,
        work: Arc<impl Fn(SearchBudget) -> Result<T, Refusal> + Send + Sync + 'static>,
    ) -> Result<T, Refusal> {
        let limits = &self.limits;
        let end = until.checked_sub(RESERVE).unwrap_or(until);
        if effort == Effort::Unknown {
            let permit = self.permit(client, Lane::Quick).await?;
            let quick_end = end.min(Instant::now() + limits.quick);
            let bounds = Bounds {
                until: quick_end,
                ended: None,
                looks: u64::MAX,
                turns: limits.turns / QUICK_PART,
                memory: limits.question_memory / QUICK_PART,
                threads: false,
            };
            let (answer, met) = self.begin(permit, bounds, Arc::clone(&work)).await?;
            if !met {
                return answer;
            }
        }
        let lane = if effort == Effort::Opening { Lane::Opening } else { Lane::Long };
        let permit = self.permit(client, lane).await?;
        let ended = Arc::clone(&permit.run.ended);
        let bounds = Bounds {
            until: end,
            ended: Some(Arc::clone(&ended)),
            looks: u64::MAX,
            turns: limits.turns,
            memory: limits.question_memory,
            threads: true,
        };
        let (answer, _) = self.begin(permit, bounds, work).await?;
        if answer.is_err() && ended.load(Ordering::Relaxed) {
            return Err(Refusal::too_much_work());
        }
        answer
    }

    /// Runs the work within bounds on a blocking thread; also returns whether a bound was reached.
    async fn begin<T: Send + 'static>(
        &self,
        permit: Permit,
        bounds: Bounds,
        work: Arc<impl Fn(SearchBudget) -> Result<T, Refusal> + Send + Sync + 'static>,
    ) -> Result<(Result<T, Refusal>, bool), Refusal> {
        let (nodes, search_time) = (self.limits.search_nodes, self.limits.search_time);
        let job = tokio::task::spawn_blocking(move || {
            // Held until the work is done, even if the client stops waiting.
            let _permit = permit;
            let until = bounds.until.min(Instant::now() + search_time);
            bounds.watched(|| work(SearchBudget { nodes, until }))
        });
        job.await.map_err(|error| Refusal::logged(&error))
    }

    /// Waits for a worker.
    async fn permit(&self, client: Client, lane: Lane) -> Result<Permit, Refusal> {
        let (ticket, granted) = oneshot::channel();
        let given_back = {
            let mut shares = self.shares.lock();
            if shares.is_full(lane) {
                // Some clients may have disconnected.
                shares.retain(|waiting| !waiting.is_closed());
            }
            shares.wait(client, lane, ticket)
        };
        // Dropping the request reports that the server is busy.
        drop(given_back);
        self.give(lane);
        let mut granted = pin!(granted);
        loop {
            match timeout(CHECK_INTERVAL, &mut granted).await {
                Ok(permit) => return permit.map_err(|_| Refusal::busy()),
                Err(_) => self.shares.lock().make_room(Instant::now()),
            }
        }
    }

    /// Assigns free workers to waiting requests.
    fn give(&self, lane: Lane) {
        loop {
            let next = self.shares.lock().next(lane, Instant::now());
            let Some((ticket, run)) = next else { break };
            // If the request was abandoned, the worker is returned and becomes free when it is dropped.
            drop(ticket.send(Permit { pool: self.clone(), run }));
        }
    }
}
