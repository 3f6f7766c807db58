//! A [`Problem`] as a response of type `application/problem+json` (RFC 9457), including problems that only
//! a server has.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use retrograde_explore::{Error, Problem};
use retrograde_game::{TextError, printable_json};

/// A response with a problem instead of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal(pub Problem);

impl Refusal {
    /// A problem that only a server has.
    pub fn new(
        status: StatusCode,
        kind: &'static str,
        title: &'static str,
        detail: impl Into<Box<str>>,
    ) -> Refusal {
        Refusal(Problem::new(status.as_u16(), kind, title, detail))
    }

    /// An invalid part of the request: `query`, `path` or `body`.
    pub fn bad(what: &'static str, detail: impl Into<Box<str>>) -> Refusal {
        Refusal(Problem::bad(what, detail))
    }

    /// The body's type is not JSON.
    pub fn not_json() -> Refusal {
        let detail = "the body must be JSON, with Content-Type: application/json";
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE.as_u16();
        Refusal(Problem { status, ..Problem::bad("body", detail) })
    }

    /// There is no route with this path.
    pub fn not_found() -> Refusal {
        Refusal(Problem::not_found())
    }

    /// The path exists, but not for this method.
    pub fn method() -> Refusal {
        let detail = "this path does not support this method";
        Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method", "Method not allowed", detail)
    }

    /// The request exceeds the limits.
    pub fn too_large(status: StatusCode, detail: impl Into<Box<str>>) -> Refusal {
        Refusal(Problem::too_large(status.as_u16(), detail))
    }

    /// Too many requests are waiting.
    pub fn busy() -> Refusal {
        let detail = "too many requests are waiting; try again in a moment";
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "The server is busy", detail)
    }

    /// The answer took too long.
    pub fn timed_out() -> Refusal {
        Refusal(Problem::timed_out())
    }

    /// The request itself took too long to arrive.
    pub fn slow() -> Refusal {
        let detail = "the request body did not arrive in time";
        Refusal::new(StatusCode::REQUEST_TIMEOUT, "slow", "Request timeout", detail)
    }

    /// The client exceeds its rate limit.
    pub fn rate_exceeded() -> Refusal {
        let detail = "the rate limit of this server is exceeded; try again after the time in Retry-After";
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, "rate", "Too many requests", detail)
    }

    /// The client exceeds its allowance of work, and others wait.
    pub fn too_much_work() -> Refusal {
        let detail = "your requests have caused too much work while others wait; try again after the time in \
                      Retry-After";
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, "work", "Too much work", detail)
    }

    /// Too many bytes are in flight for this client, or in total.
    pub fn too_many_bytes_in_flight() -> Refusal {
        let detail = "too many answers are still being sent to you or to others; read them, then try again";
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "The server is busy", detail)
    }

    /// HTTP/1.1 without exactly one valid `Host`.
    pub fn no_host() -> Refusal {
        Refusal::bad("host", "HTTP/1.1 requires exactly one `Host`, with the name of the server")
    }

    /// The request is for a host that this server does not accept.
    pub fn foreign_host(host: &str) -> Refusal {
        let host = shortened(host);
        let detail = format!(
            "this server accepts localhost and loopback addresses, not “{host}”; if it is behind a proxy or has this \
             name, start it with --allow-host {host}"
        );
        Refusal::new(StatusCode::FORBIDDEN, "host", "Unknown host", detail)
    }

    /// A web page of another site sent the request.
    pub fn foreign_page(origin: &str) -> Refusal {
        let detail = format!(
            "web pages of other sites ({}) may not use this server; --allow-host with the name of their host allows it",
            shortened(origin)
        );
        Refusal::new(StatusCode::FORBIDDEN, "origin", "Foreign origin", detail)
    }

    /// An internal error; the log has the details.
    pub fn internal() -> Refusal {
        let detail = "internal error; see the server's log";
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "server", "The server failed", detail)
    }

    /// An internal error. The reason is only logged, since it may name files.
    pub fn logged(error: &dyn std::fmt::Display) -> Refusal {
        tracing::error!(%error, "a request failed");
        Refusal::internal()
    }
}

/// The beginning of a text from a client.
fn shortened(text: &str) -> String {
    text.chars().take(100).collect()
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Refusal {
        Refusal(problem)
    }
}

impl From<TextError> for Refusal {
    fn from(error: TextError) -> Refusal {
        Refusal(error.into())
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Problem::try_from(error).map_or_else(|fault| Refusal::logged(&fault), Refusal)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Refusal(problem) = self;
        let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        // The problem may repeat text from the request, and `curl` prints it to a terminal.
        let body = serde_json::to_string(&problem).unwrap_or_default();
        let body = printable_json(&body).into_owned();
        let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"))];
        let mut response = (status, kind, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if status == StatusCode::FORBIDDEN {
            // Pages of other sites must not keep connections open.
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        if status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
