//! Queries as lines of JSON, in the manner of KataGo's analysis engine: many at once, each with an id,
//! about any turns of a game; answers come in the order in which they are found. docs/engines.md has
//! the fields.

mod answer;
mod query;
mod queue;
mod session;

pub use session::{Analysis, OpenNamed, run};
