//! Health checks and counters.

use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

use crate::message::refusal::Refusal;
use crate::state::Server;

/// The state of the server.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Health {
    /// `ok`, `ready` or `stopping`.
    status: &'static str,
}

const NEVER: [(header::HeaderName, &str); 1] = [(header::CACHE_CONTROL, "no-store")];

/// Whether the server lives
pub(crate) async fn healthz() -> Response {
    health(StatusCode::OK, "ok")
}

/// Whether the server takes requests
pub(crate) async fn readyz(State(server): State<Server>) -> Response {
    match server.stopping.load(Ordering::Acquire) {
        false => health(StatusCode::OK, "ready"),
        true => health(StatusCode::SERVICE_UNAVAILABLE, "stopping"),
    }
}

/// Counters of the server, for Prometheus
pub(crate) async fn metrics(State(server): State<Server>) -> Result<Response, Refusal> {
    const KIND: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    server.metrics.games_memory.set(i64::try_from(server.games.memory()).unwrap_or(i64::MAX));
    let text = server.metrics.text().map_err(|error| Refusal::logged(&error))?;
    Ok((NEVER, [(header::CONTENT_TYPE, HeaderValue::from_static(KIND))], text).into_response())
}

fn health(code: StatusCode, status: &'static str) -> Response {
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    (code, NEVER, kind, serde_json::to_vec(&Health { status }).unwrap_or_default()).into_response()
}
