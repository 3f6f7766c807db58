//! One phase over all blocks of a board.
//!
//! - `kinds`: the kinds of phases, and their results
//! - `count`: the counts of a phase
//! - `engine`: the undecided positions, and phases over all superblocks
//! - `block`: a phase for one set of opposing pushers
//! - `push_cache`: pushes cached from one loss phase to the next; `single_pushes`: rechecking them

pub(crate) mod block;
pub(crate) mod count;
pub(crate) mod engine;
pub(crate) mod kinds;
pub(crate) mod push_cache;
pub(crate) mod single_pushes;
