//! Tells draws apart: who of the two presses, and in how many turns.
//!
//! A drawn position in which exactly one turn holds the draw, and some other turn does not, is a
//! *task* for the side to move. A side *presses* if it can force the other into a task before it
//! stands in one itself, by turns that hold. These draws are level 1. The remaining draws are
//! solved again, with turns into level 1 that let the opponent press counted as losing ones: that
//! gives level 2, and so on until a level finds nothing. The rest is *quiet*.
//!
//! `docs/solvers.md` has a worked example, `docs/decisions/shades.md` the reasons. [`solve`] is the
//! quick way, by counting along the predecessors; [`sweep`] follows the definition, and judges it.

mod level;
mod predecessors;
mod shade;
pub mod sweep;

pub use level::{Draws, solve};
pub use shade::{LevelCounts, Scale, Shade, ShadeCounts, Shades};
