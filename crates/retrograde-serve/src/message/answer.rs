//! An answer that can be sent many times: its bytes, its type, and the `ETag` by which a client
//! keeps it.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::message::refusal::Refusal;

/// Clients ask again after this time. Tables change rarely.
const FRESH: HeaderValue = HeaderValue::from_static("public, max-age=60");
const NEVER: HeaderValue = HeaderValue::from_static("no-store");

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub bytes: Bytes,
    pub kind: HeaderValue,
    /// `None` if the same request may get another answer next time.
    pub etag: Option<HeaderValue>,
}

/// Carries the answer in a response up to the gate, which may cache it.
#[derive(Clone, Debug)]
pub(crate) struct Cacheable(pub Arc<Answer>);

impl Answer {
    /// An answer that stays the same while the rules and the table do; `stamp` identifies both.
    pub fn cacheable(kind: &'static str, bytes: impl Into<Bytes>, stamp: &str) -> Answer {
        // Weak, since the bytes differ by their compression. A stamp has letters and digits.
        let etag = HeaderValue::try_from(format!("W/\"{stamp}\"")).ok();
        Answer { bytes: bytes.into(), kind: HeaderValue::from_static(kind), etag }
    }

    /// Cacheable JSON.
    pub fn json(value: &impl Serialize, stamp: &str) -> Result<Answer, Refusal> {
        let bytes = serde_json::to_vec(value).map_err(|error| Refusal::logged(&error))?;
        Ok(Answer::cacheable("application/json", bytes, stamp))
    }

    /// The same answer, not to be cached: the next one may differ.
    pub fn uncached(self) -> Answer {
        Answer { etag: None, ..self }
    }

    /// The response to a client, without a body if the client already has it.
    pub fn response(&self, request: &HeaderMap) -> Response {
        let current = self.etag.as_ref().is_some_and(|etag| has(request, etag));
        let mut response = match current {
            true => StatusCode::NOT_MODIFIED.into_response(),
            false => Response::new(Body::from(self.bytes.clone())),
        };
        let headers = response.headers_mut();
        if !current {
            headers.insert(header::CONTENT_TYPE, self.kind.clone());
        }
        match &self.etag {
            Some(etag) => {
                headers.insert(header::ETAG, etag.clone());
                headers.insert(header::CACHE_CONTROL, FRESH);
            }
            None => {
                headers.insert(header::CACHE_CONTROL, NEVER);
            }
        }
        response
    }
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
    fn clients_name_what_they_have_in_several_ways() {
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
