//! The router: all routes, and the layers around every request.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::{CompressionLayer, CompressionLevel};
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::gate::{gate, sender};
use crate::message::refusal::Refusal;
use crate::routes::endpoints;
use crate::site::pages;
use crate::state::Server;

/// How long browsers may cache the permission for cross-origin requests.
const CORS_MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// All routes with their layers.
pub(crate) fn router(server: Server) -> Router {
    let prefix = server.config.prefix.as_str().to_owned();
    let body = server.config.limits.body;
    let all = endpoints().into_iter();
    let routes = all.fold(Router::new(), |routes, endpoint| routes.route(&endpoint.path, endpoint.handler));
    let routes = match prefix.as_str() {
        "" => routes,
        prefix => Router::new().nest(prefix, routes.clone()).route(&format!("{prefix}/"), get(pages::page)),
    };
    let guard = server.guard.clone();
    let origins = match guard.is_strict() {
        true => AllowOrigin::predicate(move |origin, _| guard.allows_origin(origin)),
        false => AllowOrigin::any(),
    };
    let cors = CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        .allow_headers([header::CONTENT_TYPE, header::IF_NONE_MATCH])
        .expose_headers([header::ETAG, header::RETRY_AFTER])
        .max_age(CORS_MAX_AGE);
    routes
        .fallback(nothing)
        .method_not_allowed_fallback(method)
        .layer(DefaultBodyLimit::max(body))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(Arc::clone(&server), gate))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(from_fn_with_state(Arc::clone(&server), sender))
        .layer(cors)
        .with_state(server)
}

/// A page with a link home for browsers, a problem for programs.
async fn nothing(State(server): State<Server>, headers: HeaderMap) -> Response {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    if !accept.contains("text/html") {
        return Refusal::not_found().into_response();
    }
    let page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Page not found – Retrograde</title><h1>There is no such \
         page</h1><p><a href=\"{}/\">All games</a></p></html>",
        server.config.prefix.as_str()
    );
    (StatusCode::NOT_FOUND, Html(page)).into_response()
}

async fn method() -> Refusal {
    Refusal::method()
}

/// A panic fails one request, not the server.
fn panicked(cause: Box<dyn Any + Send>) -> Response {
    let text = cause.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("no message");
    Refusal::logged(&format!("panic: {text}")).into_response()
}
