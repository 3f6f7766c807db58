//! The vocabulary of Retrograde: games, their values, and the way people write them down.
//!
//! Every other crate speaks these words and none redefines them. A game of its own needs one type
//! that implements [`Game`]; whatever more it can do ([`Dense`], [`Layered`], [`Predecessors`],
//! [`Symmetries`], [`Fill`], [`Impartial`], [`Show`]) makes more solvers and commands available to it. Nothing in
//! this crate knows how a game is solved or where values are stored.
//!
//! A position is always seen by the player who is to move, and so is its value:
//!
//! ```
//! use retrograde_game::{Turns, Value};
//!
//! // The opponent, to move, has lost in 4 turns: we, who moved there, win in 5.
//! let after = Value::Loss(Turns(4));
//! assert_eq!(after.before_turn(), Value::Win(Turns(5)));
//! // Of two wins the quicker is preferred, of two losses the slower.
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

/// Indices that follow each other.
#[doc(no_inline)]
pub use std::ops::Range;

pub use broken::{BrokenPromise, broken_promise, until_broken};
pub use error::{Mistake, TextError};
pub use game::{
    Dense, Fill, Flow, Game, Graded, Index, Layered, Packed, Predecessors, Staged, Step, StepKind, Successor,
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
