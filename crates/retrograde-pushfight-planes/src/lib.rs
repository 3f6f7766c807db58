//! Push Fight solved on planes of bits, turns factored into moves and a push.
//!
//! Moves touch only the mover's own pieces, so all positions with one configuration of the *opponent* are a block, in
//! which moves are a flood fill of many positions at once; only the push leads to another block. A phase does
//! something for every block: a push, read from a plane, and as many floods as there are moves in a turn. Phase p
//! decides what ends in p + 1 turns.
//!
//! With L the positions lost, W those won, D what can be reached by one move, c the moves of a turn:
//!
//! - lost in 0 turns: ¬Dᶜ(there is a push);
//! - won in 1: Dᶜ(a push ejects, or leads to one lost in 0);
//! - lost in t (even): still undecided, and not in Dᶜ(a push leads to an undecided position);
//! - won in t (odd): still undecided, and in Dᶜ(a push leads to one lost in t − 1).
//!
//! What is never decided is a draw. Of blocks that are images of each other under a symmetry of the board one is
//! worked on. See [`layout`](self) of the planes in the module of that name: *blocks*, by the opponent's
//! configuration, hold what is undecided; *records*, by the configuration of the side to move, are what pushes read.

mod bits;
mod cells;
mod engine;
mod floods;
mod gather;
mod phases;
mod shape;

pub use phases::{PhaseCount, count, memory_needed, solve};
