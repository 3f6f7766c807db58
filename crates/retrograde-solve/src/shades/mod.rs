//! Shades of draws: which side presses, and in how many turns.
//!
//! A drawn position in which exactly one turn holds the draw, and some other turn does not, is a *task* for
//! the side to move. A side *presses* if it can force the other into a task before it faces one itself, by
//! turns that hold. These draws are level 1. The remaining draws are solved again, with turns into level 1
//! that let the opponent press counted as losing: that gives level 2, and so on until a level finds nothing.
//! The rest is *quiet*.
//!
//! `docs/solvers.md` has the reasons and a worked example. [`solve`] is fast, by counting along the
//! predecessors; [`sweep`] follows the definition and is used to check it.

mod level;
mod predecessors;
mod shade;
pub mod sweep;

pub use level::{Draws, solve};
pub use shade::{LevelCounts, Scale, Shade, ShadeCounts, Shades};
