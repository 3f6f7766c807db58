//! Solvers for only the positions reachable from a start.
//!
//! Some games have 10¹⁰ legal positions of which a thousandth occurs. [`solve`] stores sorted 64-bit codes with a
//! score each, and [`solve_on_disk`] uses files if they do not fit into memory. For games that can repeat,
//! [`solve_repeating_numbered`] is faster: it numbers positions by the places of their sorted codes and solves
//! backwards, or keeps the game's own numbering if most of it occurs. Several processes use `Share`,
//! `GatheredShare` and `OpenShare`. [`hashed`] is for positions without codes and stores every turn.

mod batches;
mod coding;
mod count;
mod files;
mod graded_on_disk;
pub mod hashed;
mod key_set;
mod layer;
mod marked;
mod numbering;
mod on_disk;
mod repeating;
mod repeating_on_disk;
mod repeating_share;
mod scores;
mod settle;
mod share;
mod spill;
mod spilled_scores;
mod successors;
mod tasks;
mod values;
mod waiting;

pub use batches::Reachable;
pub(crate) use batches::{Batches, ByGrade, FirstLook, Kind, Positions, RepeatingBatches, SuccessorLookups};
pub use coding::{ByImages, ByIndex, ByPack, Coding, Orbits};
pub(crate) use coding::{code_of, key_of};
pub use count::{ReachableCounts, count_reachable};
pub(crate) use layer::{BYTES_A_KEY, Layer};
pub use marked::{MarkedScores, solve_repeating_numbered};
pub use on_disk::solve_on_disk;
pub(crate) use repeating_share::GatheredShare;
pub use scores::{ReachableScores, ScoresByIndex};
pub(crate) use settle::{LowerLayers, circle, missing_successor};
pub(crate) use share::{GradeState, RestoredShare, SavedPiece, Share, TOGETHER, VisitKeys};
pub use spilled_scores::SpilledScores;
pub(crate) use tasks::{TASK, run_tasks, sort};
pub use values::NumberedScores;
pub(crate) use waiting::DividedKeys;

pub use crate::spill::Spill;
pub use crate::together::solve_alone as solve;
pub use crate::widths::{narrowed, widened};
