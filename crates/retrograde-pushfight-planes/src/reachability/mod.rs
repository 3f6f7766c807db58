//! Finds the positions that can occur in a game.
//!
//! - `reachable`: sweeps over all turns
//! - `bitmap`: the positions found so far

pub(crate) mod bitmap;
pub(crate) mod reachable;
