//! Solving: the choice of a solver, the plan, the run, the table that it writes, several processes.

#[cfg(feature = "cluster")]
pub(crate) mod cluster;
pub(crate) mod estimate;
pub(crate) mod in_memory;
pub(crate) mod leftovers;
pub(crate) mod notes;
pub(crate) mod plan;
pub(crate) mod plan_together;
pub(crate) mod preference;
mod reasons;
pub(crate) mod run;
pub(crate) mod shades;
mod spill_room;
mod work_identity;
pub(crate) mod write;
