//! The lines that are sent back.

use retrograde_explore::{Annotation, LineStep, Probe};
use serde::Serialize;
use serde_json::Value as Json;

/// The answer about one position of a query.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    pub(super) id: &'a Json,
    /// The turns that were played before.
    pub(super) turn_number: usize,
    #[serde(flatten)]
    pub(super) probe: Probe,
    /// A best line, if one was asked for, and why it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<Vec<LineStep>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ends: Option<&'static str>,
    /// The turn that was played here, with its mark, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) annotation: Option<Annotation>,
}

/// The answer to what has none.
#[derive(Serialize)]
pub(super) struct Refusal<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<&'a Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) turn_number: Option<usize>,
    pub(super) error: Json,
}

/// The answer to a word about queries.
#[derive(Serialize)]
pub(super) struct ActionAnswer<'a> {
    pub(super) id: &'a Json,
    pub(super) action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) terminate_id: Option<&'a Json>,
    /// The positions that get no answer now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stopped: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<&'a str>,
}
