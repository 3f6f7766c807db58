//! The depth files of a solution: losses and wins, each position with its turns to the end.
//!
//! - `file`: a file, open for lookups, and the description of the format
//! - `by_mover`: its blocks in the order of version 2; `mover_block`: such a block; `turn`: how the
//!   solver's order becomes this one; `superblocks`: and back
//! - `by_opponent`, `opponent_block`: the blocks of version 1, and the solver's order
//! - `write`: writing the files of a solve; `convert`: of version 1 into version 2
//! - `cache`: decoded blocks in memory; `ranges`: of a file that is far away

pub(crate) mod by_mover;
pub(crate) mod by_opponent;
pub(crate) mod cache;
pub(crate) mod convert;
pub(crate) mod file;
pub(crate) mod mover_block;
pub(crate) mod opponent_block;
mod ranges;
pub(crate) mod superblocks;
pub(crate) mod turn;
pub(crate) mod write;

#[cfg(test)]
mod tests;
