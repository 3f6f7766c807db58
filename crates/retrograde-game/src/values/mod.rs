//! Players, values of positions, and their codes in tables.

mod score;
mod seat;
mod value;

pub use score::{Score, Stored};
pub use seat::Seat;
pub use value::{Knowledge, Outcome, Turns, Value};
