//! Queries as lines of JSON, in the manner of KataGo's analysis engine: many at once, each with an id,
//! about any turns of a game; answers come in the order in which they are found. docs/engines.md has
//! the fields.

mod answer;
mod query;
mod queue;
mod session;

/// Adds the lines that are sent and received.
#[cfg(feature = "description")]
pub fn add_schemas(schemas: &mut retrograde_explore::schema::Schemas) {
    schemas.body::<query::Message>();
    schemas.answer::<answer::Answer<'_>>();
    schemas.answer::<answer::Refusal<'_>>();
    schemas.answer::<answer::ActionAnswer<'_>>();
}

pub use session::{Analysis, OpenNamed, run};
