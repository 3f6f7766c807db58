//! Counters for Prometheus: requests by route and status, their durations, probed positions, cache hits and
//! misses.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// The upper bounds of the time buckets, in seconds.
const TIMES: [f64; 12] = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 2.0, 10.0];

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    status: u32,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct RouteLabels {
    route: String,
}

/// The counters.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    times: Family<RouteLabels, Histogram, fn() -> Histogram>,
    /// Positions looked up or searched.
    pub probes: Counter,
    /// Answers found in the cache.
    pub hits: Counter,
    /// Cacheable answers that were not in the cache.
    pub misses: Counter,
    /// The memory that all open games may need, in bytes.
    pub games_memory: Gauge,
}

impl Metrics {
    pub fn new() -> Metrics {
        let requests = Family::default();
        let times: Family<RouteLabels, Histogram, fn() -> Histogram> =
            Family::new_with_constructor(|| Histogram::new(TIMES));
        let [probes, hits, misses] = [(); 3].map(|()| Counter::default());
        let mut registry = Registry::with_prefix("retrograde");
        registry.register("requests", "Requests by route and status", requests.clone());
        registry.register_with_unit("request_duration", "Time to answer", Unit::Seconds, times.clone());
        registry.register("probes", "Positions that were looked up or searched", probes.clone());
        registry.register("cache_hits", "Answers found in the cache", hits.clone());
        registry.register("cache_misses", "Answers not found in the cache", misses.clone());
        let games_memory = Gauge::default();
        let words = "Maximum memory of all open games, in bytes";
        registry.register("open_games_memory_bytes", words, games_memory.clone());
        Metrics { registry, requests, times, probes, hits, misses, games_memory }
    }

    /// Counts an answered request.
    pub fn request(&self, route: &str, status: u16, took: Duration) {
        let request = RequestLabels { route: route.to_owned(), status: status.into() };
        self.requests.get_or_create(&request).inc();
        self.times.get_or_create(&RouteLabels { route: request.route }).observe(took.as_secs_f64());
    }

    /// All counters in the Prometheus text format.
    pub fn text(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}
