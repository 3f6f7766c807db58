//! The vocabulary of Retrograde: games, their values, and the way people write them down.
//!
//! The other crates use these definitions without adding to them. Your own game needs one type
//! that implements [`Game`]. Optional traits ([`Dense`], [`Layered`], [`Predecessors`],
//! [`Symmetries`], [`Impartial`], [`Show`]) make more solvers and commands available to
//! it. This crate does not know how a game is solved or where values are stored.
//!
//! Positions and values are always seen by the side to move:
//!
//! ```
//! use retrograde_game::{Turns, Value};
//!
//! // The opponent, who is to move, has lost in 4 turns: the player who just moved wins in 5.
//! let after = Value::Loss(Turns(4));
//! assert_eq!(after.before_turn(), Value::Win(Turns(5)));
//! // A quick win is better than a slow one, and a slow loss is better than a quick one.
//! assert!(Value::Win(Turns(3)) > Value::Win(Turns(5)));
//! assert!(Value::Loss(Turns(4)) > Value::Loss(Turns(2)));
//! ```

mod board;
mod check;
mod rules;
mod text;
mod values;

/// A range of indices.
#[doc(no_inline)]
pub use std::ops::Range;

pub use board::*;
pub use check::*;
pub use rules::*;
pub use text::*;
pub use values::*;
