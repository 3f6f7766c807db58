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

mod broken;
pub mod conformance;
mod error;
mod game;
mod grid;
mod guide;
mod impartial;
pub mod interrupt;
mod motion;
mod picture;
mod printable;
pub mod promises;
mod random;
mod score;
mod seat;
mod spec;
mod squares;
mod system_error;
mod text_input;
mod value;

/// A range of indices.
#[doc(no_inline)]
pub use std::ops::Range;

pub use broken::{BrokenPromise, broken_promise, until_broken};
pub use error::{Mistake, TextError};
pub use game::{
    Dense, Flow, Game, Graded, Index, Layered, Packed, Predecessors, Staged, Step, StepKind, Successor,
    Symmetries, TurnList, Unmoves, numbers, side_by_side,
};
pub use grid::{Direction, Grid, Symmetry};
pub use guide::{Example, Guide, counted, number_in_words};
pub use impartial::Impartial;
pub use picture::{Edge, GridSquare, Mark, Motion, Picture, Piece, PieceShape, Rail, Show};
pub use printable::{printable, printable_json};
pub use random::Random;
pub use score::{Score, Stored};
pub use seat::Seat;
pub use spec::{GameSpec, board_file_stem};
pub use squares::{Square, Squares, SquaresIter};
pub use system_error::system_reason;
pub use text_input::{clean_text, decode_text};
pub use value::{Knowledge, Outcome, Turns, Value};
