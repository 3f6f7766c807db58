//! Solvers for any two-player game of perfect information.
//!
//! This crate knows the traits of [`retrograde_game`] and nothing of a particular game or of files.

mod array;
pub mod clock;
mod exchange;
pub mod graded;
mod hash;
mod in_order;
mod job;
pub mod memory;
mod phase;
mod position;
mod prefetch;
mod prelude;
pub mod proof;
pub mod reachable;
pub mod retrograde;
pub mod shades;
pub mod signals;
mod spill;
pub mod sums;
pub mod sweep;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod testing;
mod threads;
pub mod together;
mod varint;
mod widths;

pub use exchange::{Alone, Exchange, Piece, Tally};
pub use in_order::in_order;
pub use job::{
    Checkpoint, Job, NoCheckpoint, OutcomeBits, Progress, SavedState, Scores, Silent, SolveError,
    require_alternation,
};
pub use reachable::{ReachableCounts, count_reachable};
pub use threads::{Pool, on_threads, pool};
pub use varint::{put_varint, take_varint};
pub use widths::{narrowed, widened};
