//! One phase over all blocks of a board.
//!
//! - `kinds`: the kinds of phases, and their results
//! - `count`: the counts of a phase
//! - `engine`: the undecided positions, and phases over all superblocks
//! - `block`: a phase for one set of opposing pushers
//! - `sparse_losses`: losses position by position
//! - `push_cache`: pushes cached from one loss phase to the next

pub(crate) mod block;
pub(crate) mod count;
pub(crate) mod engine;
pub(crate) mod kinds;
pub(crate) mod push_cache;
pub(crate) mod sparse_losses;
