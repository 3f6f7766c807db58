//! Push Fight on boards of any size, after "Computational Complexity of Generalized Push Fight" (J.
//! Bosboom, E. D. Demaine, M. Rudoy), which comments call the paper.
//!
//! - [`mate`]: can the side to move eject an opposing piece this turn?
//! - [`reductions`]: turns other problems into boards, so that playing such a board well solves the problem.
//!
//! Each has its own model of boards: one finds turns on boards with a million squares, the other
//! builds boards and plays on them.

pub mod mate;
pub mod reductions;
