//! Reads the parts of a request: path, query and body. Unreadable parts become a [`Problem`].

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use retrograde_game::{Outcome, Seat};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use crate::message::problem::Problem;

/// Parts of the path.
pub(crate) struct UrlPath<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for UrlPath<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path: Result<Path<T>, PathRejection> = Path::from_request_parts(parts, state).await;
        path.map(|Path(path)| UrlPath(path)).map_err(|error| Problem::bad("path", error.body_text()))
    }
}

/// The query.
pub(crate) struct UrlQuery<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for UrlQuery<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query: Result<Query<T>, QueryRejection> = Query::from_request_parts(parts, state).await;
        query.map(|Query(query)| UrlQuery(query)).map_err(|error| Problem::bad("query", error.body_text()))
    }
}

/// A body of JSON.
pub(crate) struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            let detail = "the body must be JSON, and Content-Type must say so: application/json";
            let problem = Problem::bad("body", detail);
            return Err(Problem { status: StatusCode::UNSUPPORTED_MEDIA_TYPE.as_u16(), ..problem });
        }
        let bytes: Result<Bytes, BytesRejection> = Bytes::from_request(request, state).await;
        let bytes = bytes.map_err(|error| match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                Problem::too_large(StatusCode::PAYLOAD_TOO_LARGE, "the body is longer than this server reads")
            }
            _ => Problem::bad("body", error.body_text()),
        })?;
        serde_json::from_slice(&bytes).map(Json).map_err(|error| Problem::bad("body", error.to_string()))
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(kind) = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()) else {
        return false;
    };
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Who is to move in a position, for what the first player sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Player {
    /// The player who moved first.
    #[default]
    First,
    /// The other one.
    Second,
}

impl From<Player> for Seat {
    fn from(player: Player) -> Seat {
        match player {
            Player::First => Seat::First,
            Player::Second => Seat::Second,
        }
    }
}

/// An outcome that can be looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Wish {
    /// Won for the side to move.
    Win,
    /// Lost for the side to move.
    Loss,
    /// Drawn.
    Draw,
}

impl From<Wish> for Outcome {
    fn from(wish: Wish) -> Outcome {
        match wish {
            Wish::Win => Outcome::Win,
            Wish::Loss => Outcome::Loss,
            Wish::Draw => Outcome::Draw,
        }
    }
}

/// A number that must not be larger than this server allows.
pub(crate) fn bounded<T: PartialOrd + std::fmt::Display>(
    name: &str,
    given: Option<T>,
    usual: T,
    most: T,
) -> Result<T, Problem> {
    let usual = if usual > most { None } else { Some(usual) };
    match given.or(usual) {
        Some(number) if number <= most => Ok(number),
        Some(number) => {
            let detail = format!("`{name}` is at most {most} here, found {number}");
            Err(Problem::bad("query", detail))
        }
        None => Ok(most),
    }
}
