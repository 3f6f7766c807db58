//! Only the positions that occur: from a start, by all turns.
//!
//! Some games have 10¹⁰ legal positions of which a thousandth occurs. [`solve_graded`] is for games
//! that cannot repeat and whose positions have codes of 64 bits: it holds sorted codes with a score
//! each. [`hashed::solve_graded`] does the same for any positions, and takes some five times the
//! memory and time. [`hashed::solve`] is for any game: it numbers what it finds and works backwards
//! along the turns it has seen.

mod coding;
mod gather;
mod graded;
pub mod hashed;
mod key_set;
mod layer;
mod successors;
mod values;

pub use coding::{ByIndex, ByPack, Coding, Orbits};
pub use graded::solve_graded;
pub use values::{NumberedScores, ReachableValues};
