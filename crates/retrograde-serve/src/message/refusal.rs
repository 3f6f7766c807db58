//! A [`Problem`] as a response of type `application/problem+json` (RFC 9457), with those that only
//! a server has.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use retrograde_explore::Error;
use retrograde_explore::request::Problem;
use retrograde_game::{TextError, printable_json};

/// A response without an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal(pub Problem);

impl Refusal {
    /// A problem of its own kind.
    pub fn new(
        status: StatusCode,
        kind: &'static str,
        title: &'static str,
        detail: impl Into<Box<str>>,
    ) -> Refusal {
        Refusal(Problem::new(status.as_u16(), kind, title, detail))
    }

    /// An unreadable part of the request: `query`, `path` or `body`.
    pub fn bad(what: &'static str, detail: impl Into<Box<str>>) -> Refusal {
        Refusal(Problem::bad(what, detail))
    }

    /// The body is no JSON, by its type.
    pub fn no_json() -> Refusal {
        let detail = "the body must be JSON, and Content-Type must say so: application/json";
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE.as_u16();
        Refusal(Problem { status, ..Problem::bad("body", detail) })
    }

    /// No route has this path.
    pub fn not_found() -> Refusal {
        Refusal(Problem::not_found())
    }

    /// The path exists, but not for this method.
    pub fn method() -> Refusal {
        let detail = "this path does not answer this method";
        Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method", "This method is not for this path", detail)
    }

    /// The request asks for more than the limits allow.
    pub fn too_large(status: StatusCode, detail: impl Into<Box<str>>) -> Refusal {
        Refusal(Problem::too_large(status.as_u16(), detail))
    }

    /// Too many questions are waiting.
    pub fn busy() -> Refusal {
        let detail = "too many questions are waiting; try again in a moment";
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "The server is busy", detail)
    }

    /// The answer took too long.
    pub fn timed_out() -> Refusal {
        Refusal(Problem::timed_out())
    }

    /// The request itself took too long to arrive.
    pub fn slow() -> Refusal {
        let detail = "the body of the request did not come in the time that is allowed";
        Refusal::new(StatusCode::REQUEST_TIMEOUT, "slow", "The request did not come", detail)
    }

    /// The client has reached its rate.
    pub fn too_often() -> Refusal {
        let detail = "you ask more often than this server allows; Retry-After says when to come again";
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, "rate", "Too many requests", detail)
    }

    /// The client has caused more work than it is allowed, and others wait.
    pub fn too_much_work() -> Refusal {
        let detail = "your questions have taken more work than a client may cause while others wait; \
                      Retry-After says when to come again";
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, "work", "Too much work", detail)
    }

    /// Too much is under way to this client, or to all.
    pub fn too_much_under_way() -> Refusal {
        let detail = "too many answers are still under way to you or to others; fetch them, then try again";
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "The server is busy", detail)
    }

    /// HTTP/1.1 without one good `Host`.
    pub fn no_host() -> Refusal {
        Refusal::bad("host", "a request of HTTP/1.1 has one `Host`, with the name of the server")
    }

    /// The request is for a host whose name this server does not have.
    pub fn foreign_host(host: &str) -> Refusal {
        let host = shortened(host);
        let detail = format!(
            "this server answers to localhost and loopback addresses, not to “{host}”; if it is behind a proxy, or has \
             that name, start it with --allow-host {host}"
        );
        Refusal::new(StatusCode::FORBIDDEN, "host", "This server does not have that name", detail)
    }

    /// A web page of another site has sent the request.
    pub fn foreign_page(origin: &str) -> Refusal {
        let detail = format!(
            "web pages from elsewhere ({}) may not use this server; --allow-host and the name of their host allow it",
            shortened(origin)
        );
        Refusal::new(StatusCode::FORBIDDEN, "origin", "Not for pages of other sites", detail)
    }

    /// A fault of the server. The log has the details.
    pub fn internal() -> Refusal {
        let detail = "the server failed to answer; its log says why";
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "server", "The server failed", detail)
    }

    /// A fault of the server. The reason goes to the log only, since it may name files.
    pub fn logged(error: &dyn std::fmt::Display) -> Refusal {
        tracing::error!(%error, "a question failed");
        Refusal::internal()
    }
}

/// The beginning of a text that a client has chosen.
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
        // The problem may repeat what was asked, and `curl` prints it.
        let body = serde_json::to_string(&problem).unwrap_or_default();
        let body = printable_json(&body).into_owned();
        let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"))];
        let mut response = (status, kind, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if status == StatusCode::FORBIDDEN {
            // A page from elsewhere shall not hold connections.
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        if status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
