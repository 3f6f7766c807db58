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
    (NEVER, axum_json(&Health { status: "ok" })).into_response()
}

/// Whether the server takes requests
pub(crate) async fn readyz(State(server): State<Server>) -> Response {
    match server.stopping.load(Ordering::Acquire) {
        false => (NEVER, axum_json(&Health { status: "ready" })).into_response(),
        true => {
            let body = axum_json(&Health { status: "stopping" });
            (StatusCode::SERVICE_UNAVAILABLE, NEVER, body).into_response()
        }
    }
}

/// Counters of the server, for Prometheus
pub(crate) async fn metrics(State(server): State<Server>) -> Result<Response, Refusal> {
    const KIND: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    server.metrics.games_memory.set(i64::try_from(server.games.memory()).unwrap_or(i64::MAX));
    let text = server.metrics.text().map_err(|error| Refusal::logged(&error))?;
    Ok((NEVER, [(header::CONTENT_TYPE, HeaderValue::from_static(KIND))], text).into_response())
}

fn axum_json(value: &impl Serialize) -> impl IntoResponse {
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    (kind, serde_json::to_vec(value).unwrap_or_default())
}
