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
//! What is never decided is a draw. Kept are the undecided positions and the newest losses, as sparse planes: see the
//! module `cells`. Of anchors that symmetries of the board make of each other one is kept. Everything is done by set of
//! opposing pushers: the module `gather` finds which positions have a push into a plane, `floods` adds what moves lead
//! there, `engine` puts a phase together, `phases` the phases. `layout` has the numberings. Inner loops are compiled
//! for the instructions of several processors, and chosen when the program runs.

#![allow(
    clippy::needless_range_loop,
    reason = "loops over the words of several rows say so, and become vectors"
)]

mod config;
mod derive;
mod files;
mod kernel;
mod layout;
mod parallel;
mod phase;
mod reachability;
mod run;
mod solution;
mod solve;
#[cfg(test)]
mod testing;

pub use config::SolveConfig;
pub use derive::bulk::BulkValues;
pub use derive::proof::Proof;
pub use files::depth_file::{DepthFile, DepthFileKind, Lookup};
pub use files::implausible_counts::ImplausiblePositions;
pub use files::solution_info::SolutionInfo;
#[doc(hidden)]
pub use kernel::bench::KernelBench;
pub use phase::count::PhaseCount;
pub use reachability::occurring::{OccurringCounts, count_occurring, occurring_memory_needed};
pub use run::{Retention, remove_solution, solve_distributed, solve_into};
pub use solution::open::Solution;
pub use solve::distributed::Transport;
pub use solve::estimate::{
    MAX_PARTS, derived_memory_needed, logged_memory_needed, parts_needed, relative_effort, useful_memory,
};
pub use solve::in_memory::{count_phases, memory_needed, solve};
pub use solve::logged::solve_logged;
