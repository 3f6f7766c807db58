//! What all requests share.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::body::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use retrograde_explore::Registry;

use crate::answer::Answer;
use crate::config::Config;
use crate::games::{Games, Opened};
use crate::metrics::Metrics;
use crate::openapi;
use crate::problem::Problem;
use crate::rate::Rate;
use crate::work::{Allowed, Pool};

/// An answer that may still be there for the next who asks.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    /// When tables were as they were; see [`Games::epoch`].
    pub epoch: u64,
    pub answer: Arc<Answer>,
}

/// Answers weigh what memory they take, with the key and what the cache adds.
#[derive(Clone, Debug)]
pub(crate) struct Weight;

impl Weighter<String, Kept> for Weight {
    fn weight(&self, key: &String, kept: &Kept) -> u64 {
        (key.len() + kept.answer.bytes.len() + 256) as u64
    }
}

/// What all requests share.
pub(crate) struct Shared {
    pub config: Config,
    pub games: Games,
    pub pool: Pool,
    /// Answers by path and query.
    pub answers: Cache<String, Kept, Weight>,
    pub metrics: Metrics,
    pub rate: Option<Rate>,
    pub openapi: Bytes,
    /// Whether the server is about to stop.
    pub stopping: AtomicBool,
}

/// What all requests share, as handlers get it.
pub(crate) type Server = Arc<Shared>;

/// Answers of a usual size, for the cache to begin with.
const USUAL: u64 = 1 << 10;

impl Shared {
    pub fn new(config: Config, registry: Registry) -> Shared {
        let limits = &config.limits;
        Shared {
            games: Games::new(registry, config.tables.clone(), limits.games),
            pool: Pool::new(limits),
            answers: Cache::with_weighter((limits.cache / USUAL) as usize, limits.cache, Weight),
            metrics: Metrics::new(),
            rate: limits.rate.map(Rate::new),
            openapi: openapi::text(config.prefix.as_str()).into(),
            stopping: AtomicBool::new(false),
            config,
        }
    }

    /// Asks a game, on a thread that may wait.
    pub async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        name: String,
        ask: impl FnOnce(&Opened, Allowed) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let server = Arc::clone(self);
        self.pool.run(move |allowed| ask(&*server.games.get(&name)?, allowed)).await
    }
}
