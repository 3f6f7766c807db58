//! Solves Push Fight on planes of bits, with turns factored into moves and a push.
//!
//! Moves touch only the mover's own pieces. So all positions with one configuration of the *opponent*
//! form a block, in which moves are a flood fill of many positions at once; only the push leads to
//! another block. A phase processes every block: it reads pushes from a plane, and floods once for each
//! move of a turn. Phase t decides the positions that end in t turns (`docs/push-fight-solver.md` explains
//! how). Positions that are never decided are draws.
//!
//! The modules, bottom up: `layout` (how positions are numbered and arranged), `kernel` (the hot loops:
//! moves and pushes of many positions at once), `phase` (one phase over all blocks), `files` (logs and
//! depth files), `reachability` (which positions occur), `solve` (the drivers of phases), `solution` (a
//! solved board, open for questions), `derive` (what follows from a solution) and `run` (a solve from
//! start to end). A module only uses the modules before it.

#![allow(
    clippy::needless_range_loop,
    reason = "loops over the words of several rows say so, and become vectors"
)]

mod config;
mod derive;
mod files;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
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
pub use derive::proof::Proof;
pub use files::depth::file::DepthFile;
pub use files::implausible_counts::ImplausiblePositions;
pub use files::solution_info::SolutionInfo;
pub use files::work_folder::IMPLAUSIBLE as IMPLAUSIBLE_WORK;
#[cfg(feature = "measure")]
#[doc(hidden)]
pub use kernel::bench::KernelBench;
#[cfg(feature = "measure")]
#[doc(hidden)]
pub use parallel::serial_seconds;
pub use phase::count::PhaseCount;
pub use reachability::reachable::{ReachableCounts, count_reachable, reachable_memory_needed};
pub use run::{
    Retention, has_solution, has_wins, interrupted_work, remove_leftovers, remove_solution, repair,
    solve_distributed, solve_into,
};
pub use solution::Solution;
pub use solve::estimate::{Estimate, MAX_PARTS};
pub use solve::logged::solve_logged;
