//! Push Fight on boards of any size, after "Computational Complexity of Generalized Push Fight" (J.
//! Bosboom, E. D. Demaine, M. Rudoy); comments call it the paper.
//!
//! - [`mate`]: can the side to move eject an opponent piece this turn?
//! - [`reductions`]: turns other problems into boards; to play such a board well is to solve the problem.
//!
//! Each has a separate model of boards: one finds turns on boards with a million squares, the other
//! builds boards and plays on them.

pub mod mate;
pub mod reductions;
