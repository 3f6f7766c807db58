//! Problem details (RFC 9457) of a failed request: a title and a sentence for people; a kind, an
//! HTTP status and the place of the mistake for programs.

use retrograde_game::{Mistake, TextError};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::Error;

/// The reason why a request has no answer (RFC 9457).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Problem {
    /// The kind of problem: `urn:retrograde:problem:` and a word that does not change between versions.
    #[schemars(with = "String", extend("example" = "urn:retrograde:problem:position"))]
    #[serde(rename = "type", serialize_with = "with_urn")]
    pub kind: &'static str,
    /// The kind in words.
    pub title: &'static str,
    /// The HTTP status; in a batch, the one that the item would have alone.
    pub status: u16,
    /// The problem in a sentence.
    pub detail: Box<str>,
    /// The part that was read: `position`, `turn`, `step`, `game`, `query`, `body` or `path`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what: Option<&'static str>,
    /// The text with the mistake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<Box<str>>,
    /// The character that is wrong in it.
    #[serde(flatten)]
    pub unexpected: Option<Box<Unexpected>>,
    /// The text that was probably meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<Box<str>>,
}

/// A wrong character in a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Unexpected {
    /// The place of the mistake in the text, in characters from 1; one past the end if the text ends too
    /// early.
    #[schemars(range(min = 1))]
    pub place: usize,
    /// The unexpected character; omitted if the text ends too early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub character: Option<char>,
    /// The expected text at that place.
    pub expected: Box<str>,
}

fn with_urn<S: Serializer>(kind: &&'static str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("urn:retrograde:problem:{kind}"))
}

impl Problem {
    /// Creates a problem without a text.
    pub fn new(status: u16, kind: &'static str, title: &'static str, detail: impl Into<Box<str>>) -> Problem {
        let detail = detail.into();
        Problem { kind, title, status, detail, what: None, text: None, unexpected: None, suggestion: None }
    }

    /// An invalid part of the request: `query`, `path` or `body`.
    pub fn bad(what: &'static str, detail: impl Into<Box<str>>) -> Problem {
        Problem { what: Some(what), ..Problem::new(400, what, "Invalid request", detail) }
    }

    /// There is no route with this path.
    pub fn not_found() -> Problem {
        Problem::new(404, "path", "Not found", "there is nothing at this path")
    }

    /// The request exceeds a limit; `status` says which kind.
    pub fn too_large(status: u16, detail: impl Into<Box<str>>) -> Problem {
        Problem::new(status, "too-large", "Request too large", detail)
    }

    /// The answer took too long.
    pub fn timed_out() -> Problem {
        let detail = "the time limit was reached before the answer was found";
        Problem::new(503, "time", "Time limit reached", detail)
    }
}

impl From<TextError> for Problem {
    fn from(error: TextError) -> Problem {
        let (status, title, what) = match error.what {
            "game" | "file" | "board" => (404, "There is no such game", "game"),
            "position" => (400, "Invalid position", "position"),
            what => (400, "Invalid turn", what),
        };
        let mut problem = Problem::new(status, what, title, error.to_string());
        problem.what = Some(what);
        if let Mistake::Unexpected { found, at, expected } = error.mistake {
            let unexpected = Unexpected { place: at + 1, character: found, expected: expected.into() };
            problem.unexpected = Some(Box::new(unexpected));
        }
        problem.text = Some(error.text.into());
        problem.suggestion = error.suggestion.map(Into::into);
        problem
    }
}

impl TryFrom<Error> for Problem {
    type Error = Error;

    /// Converts errors that the client caused. Errors of files and the system are returned
    /// unchanged, since only the administrator may see them.
    fn try_from(error: Error) -> Result<Problem, Error> {
        Ok(match error {
            Error::Text(error) => error.into(),
            Error::Turn { number, error } => {
                let detail = Error::Turn { number, error: error.clone() }.to_string();
                Problem { detail: detail.into(), ..Problem::from(error) }
            }
            Error::Item { number, error } => {
                let detail = format!("position number {number}, counted from 0: {error}");
                Problem { detail: detail.into(), ..Problem::from(*error) }
            }
            Error::NoTable { game, .. } => {
                let detail = format!("there is no table of {game} here, and this request needs one");
                Problem::new(404, "no-table", "There is no table", detail)
            }
            Error::Unsupported(reason) => {
                Problem::new(422, "unsupported", "Not supported by this game or its table", reason)
            }
            Error::TooLarge(reason) => Problem::too_large(422, reason),
            Error::TimedOut | Error::Stopped => Problem::timed_out(),
            error => return Err(error),
        })
    }
}
