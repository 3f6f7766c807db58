//! Parses the parts of a request: path, query and body. Errors become a [`Refusal`].

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;

use crate::limits::client::Client;
use crate::limits::tally::Held;
use crate::message::refusal::Refusal;
use crate::state::Server;

/// Parts of the path.
pub(crate) struct UrlPath<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for UrlPath<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let path: Result<Path<T>, PathRejection> = Path::from_request_parts(parts, state).await;
        path.map(|Path(path)| UrlPath(path)).map_err(|error| Refusal::bad("path", error.body_text()))
    }
}

/// The names and unparsed values of parameters in a path or query.
pub(crate) type Texts = Vec<(String, String)>;

/// The query.
pub(crate) struct UrlQuery(pub Texts);

impl<S: Send + Sync> FromRequestParts<S> for UrlQuery {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let query: Result<Query<Texts>, QueryRejection> = Query::from_request_parts(parts, state).await;
        query.map(|Query(query)| UrlQuery(query)).map_err(|error| Refusal::bad("query", error.body_text()))
    }
}

/// The bytes of a JSON body. They, and the memory for parsing them, count as in flight until it is dropped.
pub(crate) struct JsonBody(pub Bytes, pub Held);

/// The memory for each byte of a body, including the request parsed from it.
const READ_BYTES: u64 = 3;

impl FromRequest<Server> for JsonBody {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &Server) -> Result<Self, Refusal> {
        if !is_json(request.headers()) {
            return Err(Refusal::not_json());
        }
        let client = request.extensions().get::<Client>().copied().unwrap_or_else(Client::unknown);
        let max_length = state.config.limits.body as u64;
        let length = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
        let length = length.and_then(|length| length.parse().ok()).unwrap_or(max_length).min(max_length);
        let held = state
            .in_flight
            .hold(client, length * READ_BYTES)
            .ok_or_else(Refusal::too_many_bytes_in_flight)?;
        let bytes: Result<Bytes, BytesRejection> = Bytes::from_request(request, state).await;
        bytes.map(|bytes| JsonBody(bytes, held)).map_err(|error| match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                Refusal::too_large(StatusCode::PAYLOAD_TOO_LARGE, "the body is too large")
            }
            _ => Refusal::bad("body", error.body_text()),
        })
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(kind) = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()) else {
        return false;
    };
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}
