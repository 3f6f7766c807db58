//! A reusable answer: its bytes, its type, and its `ETag` for client caches.

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::message::refusal::Refusal;

/// Clients revalidate after this time. Tables rarely change.
const FRESH: HeaderValue = HeaderValue::from_static("public, max-age=60");
const NEVER: HeaderValue = HeaderValue::from_static("no-store");

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub bytes: Bytes,
    pub kind: HeaderValue,
    /// `None` if the answer may differ next time.
    pub etag: Option<HeaderValue>,
}

impl Answer {
    /// An answer that depends only on the rules and the table, which `stamp` identifies.
    pub fn cacheable(kind: &'static str, bytes: impl Into<Bytes>, stamp: &str) -> Answer {
        // Weak, since the bytes depend on the compression. A stamp has only letters and digits.
        let etag = HeaderValue::try_from(format!("W/\"{stamp}\"")).ok();
        Answer { bytes: bytes.into(), kind: HeaderValue::from_static(kind), etag }
    }

    /// Cacheable JSON.
    pub fn json(value: &impl Serialize, stamp: &str) -> Result<Answer, Refusal> {
        let bytes = serde_json::to_vec(value).map_err(|error| Refusal::logged(&error))?;
        Ok(Answer::cacheable("application/json", bytes, stamp))
    }

    /// Makes the answer uncacheable, since the next one may differ.
    pub fn uncached(self) -> Answer {
        Answer { etag: None, ..self }
    }

    /// The answer in a response.
    pub async fn of_response(response: Response) -> Result<Answer, axum::Error> {
        let (mut parts, body) = response.into_parts();
        let kind = parts.headers.remove(header::CONTENT_TYPE);
        let kind = kind.unwrap_or(HeaderValue::from_static("application/octet-stream"));
        let etag = parts.headers.remove(header::ETAG);
        Ok(Answer { bytes: axum::body::to_bytes(body, usize::MAX).await?, kind, etag })
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.bytes));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, self.kind);
        headers.insert(header::CACHE_CONTROL, if self.etag.is_some() { FRESH } else { NEVER });
        headers.extend(self.etag.map(|etag| (header::ETAG, etag)));
        response
    }
}

/// The response, without a body if its client already has it.
pub(crate) fn unless_known(mut response: Response, request: &HeaderMap) -> Response {
    if response.headers().get(header::ETAG).is_some_and(|etag| has(request, etag)) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_TYPE);
        response.headers_mut().remove(header::CONTENT_LENGTH);
    }
    response
}

/// Whether the client already has this answer, by `If-None-Match`.
fn has(request: &HeaderMap, etag: &HeaderValue) -> bool {
    let bare = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let Ok(etag) = etag.to_str().map(bare) else { return false };
    let named = request.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    named.flat_map(|list| list.split(',')).any(|tag| tag.trim() == "*" || bare(tag) == etag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn etags_are_compared_in_all_their_forms() {
        let etag = HeaderValue::from_static("W/\"abc\"");
        for (named, expected) in [
            ("W/\"abc\"", true),
            ("\"abc\"", true),
            ("\"x\", W/\"abc\"", true),
            ("*", true),
            ("\"ab\"", false),
            ("abc", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, HeaderValue::from_static(named));
            assert_eq!(has(&headers, &etag), expected, "{named}");
        }
    }
}
