//! The depth files of a solution: losses and wins, each position with its depth in turns.
//!
//! - `file`: a file, open for lookups, and the description of the format; `kind`: losses or wins
//! - `blocks`: its blocks; `mover_block`: one of them
//! - `write`: writing the files of a solve; `mover_order`: from the solver's order to the order of files;
//!   `solver_cells`: positions in the solver's order; `superblocks`: from the files back to it
//! - `cache`: decoded blocks in memory

pub(crate) mod blocks;
pub(crate) mod cache;
pub(crate) mod file;
pub(crate) mod kind;
pub(crate) mod mover_block;
pub(crate) mod mover_order;
mod solver_cells;
pub(crate) mod superblocks;
pub(crate) mod write;

#[cfg(test)]
mod tests;
