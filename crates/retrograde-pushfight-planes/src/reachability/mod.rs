//! Finds the reachable positions of a game.
//!
//! - `reachable`: sweeps over all turns
//! - `bitmap`: the positions found so far

pub(crate) mod bitmap;
pub(crate) mod reachable;
