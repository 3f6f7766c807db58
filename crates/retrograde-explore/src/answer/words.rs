//! Types that only schemas need: the words that answers have as texts, and fields without a type.

use schemars::JsonSchema;

/// The outcome; `unknown` if there is no table and the search ended first, or if a table of outcomes
/// leaves it open.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum Outcome {
    Win,
    Loss,
    Draw,
    Unknown,
}

/// The other numbers of a position.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct OtherNumbers {
    /// The minimized number in Push Fight, on boards that have one; omitted if it is the `index`.
    #[schemars(skip_serializing_if = "Option::is_none")]
    minimized: Option<Minimized>,
    /// Whether the board had to be turned (`--numbering minimized`).
    #[schemars(skip_serializing_if = "Option::is_none")]
    turned: Option<bool>,
}

/// The number of a position among the plausible positions up to a half turn; null if it is not
/// plausible.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Minimized(Option<MinimizedNumber>);

/// A number among the plausible positions up to a half turn.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct MinimizedNumber {
    /// The number.
    index: crate::Count,
    /// Whether the board had to be turned.
    turned: bool,
}
