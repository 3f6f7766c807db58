//! Mate in one on Push Fight boards of any size: *can the side to move eject an opposing piece this
//! turn?* A turn is some moves of own pieces and one push.
//!
//! The question and the bounds in the table come from section 3 of "Computational Complexity of
//! Generalized Push Fight" (J. Bosboom, E. D. Demaine, M. Rudoy), which comments call the paper.
//! Unlike in the game on 64 squares, square numbers have 32 bits: boards can have a million
//! squares.
//!
//! | moves allowed | how | time |
//! |---|---|---|
//! | any number | [`unlimited`]: sets of classes of arrangements | polynomial |
//! | a few | [`within`]: all sequences that can still succeed | polynomial for a fixed number |
//! | the least number | [`least`]: search with a bound, or SAT | NP-hard |
//!
//! [`exhaustive`] tries everything; the tests compare the others with it.
//!
//! ```
//! use retrograde_generalised::mate::{Method, State, least, unlimited};
//!
//! let state = State::parse("+-+-+-+-+/ . o O x /+-+-+-+-+").unwrap();
//! assert_eq!(state.turn_text(&least(&state, Method::Either, 1_000_000).unwrap().unwrap()), "c1-d1");
//! let railed = State::parse("+-+-+-+-+/ . o O x|/+-+-+-+-+").unwrap();
//! assert_eq!(unlimited(&railed), None);
//! ```

mod error;
pub mod exhaustive;
mod few_moves;
mod interval_set;
mod least_moves;
mod pawn_space;
#[cfg(feature = "sat")]
mod sat;
mod search;
mod state;
mod targets;
mod unlimited;
mod witness;

pub use error::MateError;
pub use least_moves::{Method, least, within};
pub use state::{NoMate, State, Turn};

/// Finds a turn with any number of moves that ejects an opposing piece, if there is one. It does
/// not minimise the number of moves. Polynomial in the number of squares.
pub fn unlimited(state: &State) -> Option<Turn> {
    let space = pawn_space::PawnSpace::new(state);
    let plan = unlimited::plan(state, &space)?;
    Some(witness::checked(state, witness::turn(state, &space, &plan)))
}
