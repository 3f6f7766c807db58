//! Solvers for only the positions reachable from a start.
//!
//! Some games have 10¹⁰ legal positions of which a thousandth occurs. For games that cannot repeat,
//! [`solve_graded`] stores sorted 64-bit codes with a score each, and [`solve_graded_on_disk`] uses files if
//! they do not fit into memory. For games that can repeat, [`solve_repeating_numbered`] numbers positions by
//! the places of their sorted codes and solves backwards, or keeps the game's own numbering if most of it
//! occurs, and [`solve_repeating_on_disk`] uses files. Several processes use `Share`, `GatheredShare` and
//! `OpenShare`. [`hashed`] is for positions without codes and stores every turn.

mod batches;
mod coding;
mod count;
mod files;
mod graded;
mod graded_on_disk;
pub mod hashed;
mod key_set;
mod layer;
mod marked;
mod numbering;
mod repeating;
mod repeating_on_disk;
mod repeating_share;
mod settle;
mod share;
mod spill;
mod spilled_scores;
mod successors;
mod tasks;
mod values;
mod waiting;

pub use batches::{
    Batches, ByGrade, Coded, FirstLook, Numbers, Positions, RepeatingBatches, SuccessorLookups,
    images_by_number,
};
pub use coding::{ByImages, ByIndex, ByPack, Coding, Orbits};
pub(crate) use coding::{code_of, key_of};
pub use count::{ReachableCounts, count_reachable};
pub use graded::solve_graded;
pub use graded_on_disk::solve_graded_on_disk;
pub(crate) use layer::{BYTES_A_KEY, Layer};
pub use marked::{MarkedScores, RepeatingValues, solve_repeating_numbered};
pub use repeating_on_disk::solve_repeating_on_disk;
pub(crate) use repeating_share::GatheredShare;
pub(crate) use settle::{LowerLayers, circle, missing_successor};
pub(crate) use share::{GradeState, RestoredShare, SavedPiece, Share, TOGETHER, VisitKeys};
pub use spilled_scores::SpilledScores;
pub(crate) use tasks::{TASK, run_tasks, sort};
pub use values::NumberedScores;
pub(crate) use waiting::DividedKeys;

pub use crate::spill::Spill;
pub use crate::widths::{narrowed, widened};
