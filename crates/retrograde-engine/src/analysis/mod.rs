//! An analysis engine with JSON lines, similar to KataGo's: many concurrent queries, each with an id, about
//! any turns of a game. Answers are sent as soon as they are found. docs/engines.md has the fields.

mod answer;
mod query;
mod queue;
mod session;

/// Adds the schemas of queries and answers.
pub fn add_schemas(schemas: &mut retrograde_explore::schema::Schemas) {
    schemas.body::<query::Message>();
    schemas.answer::<answer::Answer<'_>>();
    schemas.answer::<answer::Refusal<'_>>();
    schemas.answer::<answer::ActionAnswer<'_>>();
}

pub use session::{Analysis, OpenNamed, run};
