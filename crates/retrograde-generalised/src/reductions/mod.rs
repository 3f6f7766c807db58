//! The reductions of "Computational Complexity of Generalized Push Fight" (J. Bosboom, E. D.
//! Demaine, M. Rudoy) as programs: other problems become boards, so that playing the board well
//! solves the problem. Comments call it the paper.
//!
//! - [`steiner`]: an instance of Integer Rectilinear Steiner Tree becomes a board and a number of
//!   moves (Theorem 3.20: mate in one with *k* moves is NP-hard).
//! - [`qbf`]: a quantified formula becomes a position that White wins if and only if the formula is
//!   true (Theorem 4.2: deciding the winner is PSPACE-hard); a search decides the winner.
//! - [`gadget`]: the parts of such positions, and the survey of all play inside one, which checks
//!   each against its lemma.
//!
//! The crate only reads and writes text, and uses no files. Its boards are larger than the 64
//! squares of the game, so it has a small separate model of turns, [`Position`].
//!
//! ```
//! use retrograde_generalised::reductions::steiner::Instance;
//!
//! let points = Instance::parse("0,0 2,0")?;
//! assert_eq!(points.least_length()?, 2);
//! let reduced = points.reduce(2)?;
//! assert_eq!(reduced.moves, 5);
//! assert!(reduced.board_file().starts_with("moves = 5\n+-+-+"));
//! # Ok::<(), retrograde_generalised::reductions::steiner::SteinerError>(())
//! ```

mod cell;
mod drawing;
pub mod gadget;
mod moves;
mod position;
pub mod qbf;
pub mod steiner;

pub use cell::{Cell, Direction, Place};
pub use moves::Side;
pub use position::{MAX_SIDE, Position};
