//! The shared state of all requests, and how a request queries a game.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::body::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use retrograde_explore::Registry;

use crate::config::Config;
use crate::games::{Games, ServedGame};
use crate::limits::client::Client;
use crate::limits::flight::InFlight;
use crate::limits::pool::{Effort, Pool, SearchBudget};
use crate::limits::rate::RateLimit;
use crate::message::answer::Answer;
use crate::message::refusal::Refusal;
use crate::observe::metrics::Metrics;
use crate::server::guard::Guard;

/// An answer in the cache.
#[derive(Clone, Debug)]
pub(crate) struct CachedAnswer {
    /// The epoch of the tables; see [`Games::epoch`].
    pub epoch: u64,
    pub answer: Answer,
}

/// The memory of a cached answer: key, bytes, and the cache's overhead.
#[derive(Clone, Debug)]
pub(crate) struct AnswerWeight;

impl Weighter<String, CachedAnswer> for AnswerWeight {
    fn weight(&self, key: &String, kept: &CachedAnswer) -> u64 {
        (key.len() + kept.answer.bytes.len() + 256) as u64
    }
}

/// The shared state of all requests.
pub(crate) struct ServerState {
    pub config: Config,
    pub games: Arc<Games>,
    pub pool: Pool,
    /// Cached answers by path and query.
    pub answers: Cache<String, CachedAnswer, AnswerWeight>,
    pub metrics: Metrics,
    pub rate: Option<RateLimit>,
    pub in_flight: InFlight,
    pub guard: Guard,
    /// The description of all routes.
    pub openapi: Bytes,
    /// Set when the server is about to stop.
    pub stopping: AtomicBool,
}

/// A handle to the shared state, for handlers.
pub(crate) type Server = Arc<ServerState>;

/// The typical size of an answer in bytes, for sizing the cache.
const TYPICAL_BYTES: u64 = 1 << 10;

impl ServerState {
    pub fn new(config: Config, registry: Registry, openapi: Bytes) -> ServerState {
        let limits = &config.limits;
        ServerState {
            games: Arc::new(Games::new(registry, config.tables.clone(), limits)),
            pool: Pool::new(limits),
            answers: Cache::with_weighter(
                (limits.cache / TYPICAL_BYTES) as usize,
                limits.cache,
                AnswerWeight,
            ),
            metrics: Metrics::new(),
            rate: limits.rate.map(RateLimit::new),
            in_flight: InFlight::new(limits.in_flight),
            guard: Guard::new(&config),
            openapi,
            stopping: AtomicBool::new(false),
            config,
        }
    }

    /// Queries a game on a blocking thread; `ask` may be called twice.
    pub async fn ask<T: Send + 'static>(
        &self,
        client: Client,
        name: String,
        effort: Effort,
        ask: impl Fn(&ServedGame, SearchBudget) -> Result<T, Refusal> + Send + Sync + 'static,
    ) -> Result<T, Refusal> {
        // The time is for both together.
        let answer = tokio::time::timeout(self.config.limits.time, async {
            let opened = self.games.get(&self.pool, client, name).await?;
            self.pool.run(client, effort, move |budget| ask(&opened, budget)).await
        });
        answer.await.unwrap_or_else(|_| Err(Refusal::timed_out()))
    }
}
