//! An error as `application/problem+json` (RFC 9457): a title and a sentence for people; for programs a type and
//! the place of the mistake in their text.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use retrograde_explore::Error;
use retrograde_game::{Mistake, TextError};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

/// What went wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// What kind of problem it is: a word that stays; in JSON `urn:retrograde:problem:` stands before it.
    #[serde(rename = "type", serialize_with = "with_urn")]
    #[schema(value_type = String, example = "urn:retrograde:problem:position")]
    pub kind: &'static str,
    /// The kind in words.
    pub title: &'static str,
    /// The status of the answer; of one item of a batch, the one that it would have alone.
    pub status: u16,
    /// What is wrong this time, in a sentence.
    #[schema(value_type = String)]
    pub detail: Box<str>,
    /// What was being read: `position`, `turn`, `step`, `game`, `query`, `body`, `path`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what: Option<&'static str>,
    /// The text with the mistake.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub text: Option<Box<str>>,
    /// The place of the mistake in `text`, counted in characters from 1; one past the end if it ends too early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<usize>,
    /// The offending character; absent if the text ends too early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub character: Option<char>,
    /// What could have stood there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub expected: Option<Box<str>>,
}

fn with_urn<S: Serializer>(kind: &&'static str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("urn:retrograde:problem:{kind}"))
}

impl Problem {
    /// A problem.
    pub(crate) fn new(
        status: StatusCode,
        kind: &'static str,
        title: &'static str,
        detail: impl Into<Box<str>>,
    ) -> Problem {
        Problem {
            kind,
            title,
            status: status.as_u16(),
            detail: detail.into(),
            what: None,
            text: None,
            place: None,
            character: None,
            expected: None,
        }
    }

    /// An unreadable part of the request: `query`, `path` or `body`.
    pub(crate) fn bad(what: &'static str, detail: impl Into<Box<str>>) -> Problem {
        let problem = Problem::new(StatusCode::BAD_REQUEST, what, "The request cannot be read", detail);
        Problem { what: Some(what), ..problem }
    }

    /// No route has this path.
    pub(crate) fn not_found() -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "path", "Nothing is here", "nothing has this path")
    }

    /// The path exists, but not for this method.
    pub(crate) fn method() -> Problem {
        let detail = "this path does not answer this method";
        Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method", "This method is not for this path", detail)
    }

    /// The request asks for more than the limits allow.
    pub(crate) fn too_large(status: StatusCode, detail: impl Into<Box<str>>) -> Problem {
        Problem::new(status, "too-large", "This is too much to ask", detail)
    }

    /// Too many questions are waiting.
    pub(crate) fn busy() -> Problem {
        let detail = "too many questions are waiting; try again in a moment";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "The server is busy", detail)
    }

    /// The answer took too long.
    pub(crate) fn timed_out() -> Problem {
        let detail = "the answer was not found in the time that is allowed";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "time", "The time is over", detail)
    }

    /// The request itself took too long to arrive.
    pub(crate) fn slow() -> Problem {
        let detail = "the body of the request did not come in the time that is allowed";
        Problem::new(StatusCode::REQUEST_TIMEOUT, "slow", "The request did not come", detail)
    }

    /// The client has reached its rate.
    pub(crate) fn too_often() -> Problem {
        let detail = "you ask more often than this server allows; Retry-After says when to come again";
        Problem::new(StatusCode::TOO_MANY_REQUESTS, "rate", "Too many requests", detail)
    }

    /// A fault of the server. The log has the details.
    pub(crate) fn internal() -> Problem {
        let detail = "the server failed to answer; its log says why";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "server", "The server failed", detail)
    }

    /// A fault of the server. The reason goes to the log only, since it may name files.
    pub(crate) fn logged(error: &dyn std::fmt::Display) -> Problem {
        tracing::error!(%error, "a question failed");
        Problem::internal()
    }

    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl From<TextError> for Problem {
    fn from(error: TextError) -> Problem {
        let (status, title) = match error.what {
            "game" | "file" | "board" => (StatusCode::NOT_FOUND, "There is no such game"),
            "position" => (StatusCode::BAD_REQUEST, "This is no position"),
            _ => (StatusCode::BAD_REQUEST, "This is no turn"),
        };
        let what = if status == StatusCode::NOT_FOUND { "game" } else { error.what };
        let mut problem = Problem::new(status, what, title, error.to_string());
        problem.what = Some(what);
        if let Mistake::Unexpected { found, at, expected } = error.mistake {
            problem.character = found;
            problem.place = Some(at + 1);
            problem.expected = Some(expected.into());
        }
        problem.text = Some(error.text.into());
        problem
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        match error {
            Error::Text(error) => error.into(),
            Error::Turn { number, error } => {
                let problem = Problem::from(error);
                Problem { detail: format!("turn {number}: {}", problem.detail).into(), ..problem }
            }
            Error::NoTable { game } => {
                let detail = format!("there is no table of {game} here, and this question needs one");
                Problem::new(StatusCode::NOT_FOUND, "no-table", "There is no table", detail)
            }
            Error::Unsupported(reason) => {
                let title = "This game or its table cannot do this";
                Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "unsupported", title, reason)
            }
            Error::TooLarge(reason) => Problem::too_large(StatusCode::UNPROCESSABLE_ENTITY, reason),
            Error::TimedOut | Error::Stopped => Problem::timed_out(),
            // The files, the machine; there may be more of them than this crate was built with.
            error => Problem::logged(&error),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status();
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"))];
        let mut response = (status, kind, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
