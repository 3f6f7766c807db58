//! A solved board, open for questions.
//!
//! - `open`: opening, looking up, checking

pub(crate) mod open;
