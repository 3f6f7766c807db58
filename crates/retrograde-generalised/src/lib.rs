//! Push Fight on boards of any size, after "Computational Complexity of Generalized Push Fight" (J.
//! Bosboom, E. D. Demaine, M. Rudoy); comments call it the paper.
//!
//! - [`mate`]: can the side to move eject an opponent piece this turn?
//! - [`reductions`]: other problems become boards, so that whoever plays the board well has solved the
//!   problem.
//!
//! Each has a model of boards of its own: one finds turns on boards with a million squares, the other
//! builds boards and plays on them.

pub mod mate;
pub mod reductions;
