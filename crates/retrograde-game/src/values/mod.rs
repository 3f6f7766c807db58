//! Values of positions, and their codes in tables.

mod score;
mod value;

pub use score::{Score, Stored};
pub use value::{Knowledge, Outcome, Turns, Value};
