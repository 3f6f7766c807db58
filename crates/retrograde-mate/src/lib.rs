//! Mate in one on Push Fight boards of any size: *can the side to move eject an opponent piece this turn?*
//! (Seed 002, section 3.) A turn is some moves of own pieces and one push.
//!
//! | moves allowed | how | time |
//! |---|---|---|
//! | any number | [`unlimited`]: sets of classes of arrangements | polynomial |
//! | a few | [`within`]: all sequences that can still succeed | polynomial for a fixed number |
//! | the least number | [`least`]: search with a bound, or SAT | NP-hard |
//!
//! [`plain`] tries everything and judges the others in the tests.
//!
//! ```
//! use retrograde_mate::{How, State, least, unlimited};
//!
//! let state = State::parse("+-+-+-+-+/ . o O x /+-+-+-+-+").unwrap();
//! assert_eq!(state.turn_text(&least(&state, How::Either, 1_000_000).unwrap().unwrap()), "c1-d1");
//! let railed = State::parse("+-+-+-+-+/ . o O x|/+-+-+-+-+").unwrap();
//! assert_eq!(unlimited(&railed), None);
//! ```

mod few;
mod least;
mod parts;
pub mod plain;
#[cfg(feature = "sat")]
mod sat;
mod search;
mod spans;
mod state;
mod targets;
mod unlimited;
mod witness;

pub use least::{How, Limit, least, within};
pub use state::{NoMate, State, Turn};

/// Decides whether any number of moves leads to a push that ejects an opponent piece, and gives such a turn; not
/// one with the fewest moves. Polynomial in the number of squares.
pub fn unlimited(state: &State) -> Option<Turn> {
    let space = parts::Space::new(state);
    let plan = unlimited::plan(state, &space)?;
    Some(witness::checked(state, witness::turn(state, &space, &plan)))
}
