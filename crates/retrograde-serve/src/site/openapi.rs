//! Serves the OpenAPI description, `docs/openapi.json`. A test compares it with the routes and the types of
//! answers, so that builds do not need schemas.

use serde_json::{Value as Json, json};

/// The description, for paths without a prefix.
const DESCRIPTION: &str = include_str!("../../interface/openapi.json");

/// This description
pub(crate) async fn openapi(
    axum::extract::State(server): axum::extract::State<crate::state::Server>,
) -> crate::message::answer::Answer {
    let stamp = crate::games::stamp(std::str::from_utf8(&server.openapi).unwrap_or_default());
    crate::message::answer::Answer::cacheable("application/json", server.openapi.clone(), &stamp)
}

/// The description as JSON, for paths that begin with `prefix`.
pub(crate) fn text(prefix: &str) -> Vec<u8> {
    // It is a constant that a test parses.
    let mut described: Json = serde_json::from_str(DESCRIPTION).unwrap_or_default();
    described["servers"] = json!([{"url": if prefix.is_empty() { "/" } else { prefix }}]);
    serde_json::to_vec(&described).unwrap_or_default()
}
