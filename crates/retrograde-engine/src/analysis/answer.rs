//! The lines that the engine sends back.

use retrograde_explore::{Annotation, LineStep, Probe};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

/// The answer about one position of a query (`engine --json`).
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Analysis")]
pub(super) struct Answer<'a> {
    /// The name of the query.
    #[schemars(with = "super::query::QueryId")]
    pub(super) id: &'a Json,
    /// The number of turns played before.
    pub(super) turn_number: usize,
    #[serde(flatten)]
    pub(super) probe: Probe,
    /// A best line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<Vec<LineStep>>,
    /// Why the line ends, as in `line`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["over", "repeats", "unknown", "limit", null]))]
    pub(super) ends: Option<&'static str>,
    /// The played turn with its mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) annotation: Option<Annotation>,
}

/// The reason why a query or one of its positions has no answer (`engine --json`).
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "AnalysisRefusal")]
pub(super) struct Refusal<'a> {
    /// The name of the query.
    #[schemars(with = "Option<super::query::QueryId>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<&'a Json>,
    /// The number of turns played before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) turn_number: Option<usize>,
    /// The error.
    #[schemars(schema_with = "failure")]
    pub(super) error: Json,
}

/// The answer to an action (`engine --json`).
#[derive(Serialize, JsonSchema)]
pub(super) struct ActionAnswer<'a> {
    /// The name of the query.
    #[schemars(with = "super::query::QueryId")]
    pub(super) id: &'a Json,
    /// The action.
    #[schemars(with = "super::query::Action")]
    pub(super) action: &'static str,
    /// The query that was cancelled.
    #[schemars(with = "Option<super::query::QueryId>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) terminate_id: Option<&'a Json>,
    /// The number of cancelled positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stopped: Option<usize>,
    /// The engine's name and version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<&'a str>,
}

/// The caller defines the form of an error.
fn failure(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"$ref": "#/$defs/Failure"})
}
