//! A solved board, open for lookups.
//!
//! - `open`: opening, looking up, checking

pub(crate) mod open;
