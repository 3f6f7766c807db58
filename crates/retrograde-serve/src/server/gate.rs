//! The layers around every request. The gate enforces limits, answers from the cache, sets headers, counts
//! and logs. Around it, [`sender`] identifies the client and counts the bytes in flight to it.

use std::time::{Duration, Instant};

use axum::body::{Body, HttpBody};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::limits::client::Client;
use crate::message::answer::{Answer, unless_known};
use crate::message::refusal::Refusal;
use crate::state::{CachedAnswer, Server};

/// Larger answers are not cached.
const MAX_CACHED: u64 = 1 << 20;
/// Slower answers are logged.
const SLOW: Duration = Duration::from_secs(2);

/// The extra time for a whole request, beyond the time for its answer.
const GRACE: Duration = Duration::from_secs(1);

/// Pages may only load files from this server, run no inline scripts, and not be framed.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The headers of every response.
const HEADERS: [(HeaderName, HeaderValue); 6] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), geolocation=(), microphone=()"),
    ),
    // Any site may read answers and show pictures.
    (RESOURCE_POLICY, HeaderValue::from_static("cross-origin")),
];
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Passes a request in and its response out.
pub(crate) async fn gate(State(server): State<Server>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let mut response = match refusal(&server, &request) {
        Some(refusal) => refusal,
        None => answered(&server, request, next).await,
    };
    for (name, value) in HEADERS {
        // Workers of the page have a different policy.
        response.headers_mut().entry(name).or_insert(value);
    }
    if server.guard.is_strict() {
        response.headers_mut().insert(RESOURCE_POLICY, HeaderValue::from_static("same-site"));
    }
    let (status, took) = (response.status(), started.elapsed());
    let route = route
        .as_ref()
        .map_or("none", |route| route.as_str().strip_prefix(server.config.prefix.as_str()).unwrap_or("none"));
    server.metrics.request(route, status.as_u16(), took);
    let (status, ms) = (status.as_u16(), took.as_secs_f64() * 1e3);
    if status >= 500 || took > SLOW {
        tracing::warn!(%method, %uri, status, ms, "failed or slow");
    } else if server.config.log_requests {
        tracing::info!(%method, %uri, status, ms, "request");
    }
    response
}

/// Identifies the client. Buffers the whole compressed answer before sending it, so that a slow client holds
/// only these bytes, which are bounded.
pub(crate) async fn sender(State(server): State<Server>, mut request: Request, next: Next) -> Response {
    let client = Client::of_request(request.extensions(), request.headers(), server.config.trust_proxy);
    request.extensions_mut().insert(client);
    let (mut parts, body) = next.run(request).await.into_parts();
    if parts.status == StatusCode::TOO_MANY_REQUESTS && !parts.headers.contains_key(header::RETRY_AFTER) {
        parts.headers.insert(header::RETRY_AFTER, seconds(server.pool.wait_of(client).unwrap_or_default()));
    }
    let began = Instant::now();
    let Ok(bytes) = axum::body::to_bytes(body, usize::MAX).await else {
        return Refusal::logged(&"an answer could not be compressed").into_response();
    };
    server.pool.charge(client, began.elapsed());
    match server.in_flight.body(client, bytes) {
        Some(body) => Response::from_parts(parts, body),
        None => {
            let mut response = Refusal::too_many_bytes_in_flight().into_response();
            response.headers_mut().extend(HEADERS);
            response
        }
    }
}

/// The seconds to wait, at least one.
fn seconds(wait: Duration) -> HeaderValue {
    HeaderValue::from(wait.as_secs_f64().ceil().max(1.0) as u64)
}

/// The refusal if the guard rejects a request, or if it is too long or over the rate limit.
fn refusal(server: &Server, request: &Request) -> Option<Response> {
    if let Err(refusal) = server.guard.check(request) {
        return Some(refusal.into_response());
    }
    let length = request.uri().path_and_query().map_or(0, |text| text.as_str().len());
    if length > server.config.limits.url {
        let detail = format!("the path and query may have at most {} bytes", server.config.limits.url);
        return Some(Refusal::too_large(StatusCode::URI_TOO_LONG, detail).into_response());
    }
    let rate = server.rate.as_ref()?;
    let client = request.extensions().get::<Client>().copied().unwrap_or_else(Client::unknown);
    let wait = rate.check(client).err()?;
    let mut response = Refusal::rate_exceeded().into_response();
    response.headers_mut().insert(header::RETRY_AFTER, seconds(wait));
    Some(response)
}

/// The cached answer, or a new one; without a body if the client already has it.
async fn answered(server: &Server, request: Request, next: Next) -> Response {
    let key = request.uri().path_and_query().map_or("", |text| text.as_str());
    let epoch = server.games.epoch();
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if reads
        && let Some(kept) = server.answers.get(key)
        && kept.epoch == epoch
    {
        server.metrics.hits.inc();
        let mut response = kept.answer.into_response();
        if request.method() == Method::HEAD {
            let length = response.body().size_hint().exact().unwrap_or_default();
            response.headers_mut().insert(header::CONTENT_LENGTH, length.into());
            *response.body_mut() = Body::empty();
        }
        return unless_known(response, request.headers());
    }
    let (key, method, headers) = (key.to_owned(), request.method().clone(), request.headers().clone());
    // The work has a separate time limit; this one is for bodies that do not arrive.
    let limit = server.config.limits.time + GRACE;
    let Ok(response) = tokio::time::timeout(limit, next.run(request)).await else {
        let has_body = method == Method::POST;
        return if has_body { Refusal::slow() } else { Refusal::timed_out() }.into_response();
    };
    if !reads || !response.headers().contains_key(header::ETAG) {
        return response;
    }
    server.metrics.misses.inc();
    let is_short = response.body().size_hint().exact().is_some_and(|length| length <= MAX_CACHED);
    if method == Method::HEAD || !is_short {
        return unless_known(response, &headers);
    }
    let Ok(answer) = Answer::of_response(response).await else {
        return Refusal::logged(&"an answer could not be kept").into_response();
    };
    server.answers.insert(key, CachedAnswer { epoch, answer: answer.clone() });
    unless_known(answer.into_response(), &headers)
}
