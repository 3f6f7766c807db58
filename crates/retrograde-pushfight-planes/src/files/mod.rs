//! All files: logs of a solve, depth files of a solution, and its small sidecar files. The module that
//! writes a file describes its format.
//!
//! - `log`: logs of phases; `log_planes`: planes from logs
//! - `chunks`: work files of a solve in parts
//! - `depth`: files of losses and wins
//! - `solution_info`: the description of a solution
//! - `timings`, `implausible_counts`: sidecar files of a solution; `sidecar`: reading and writing them
//! - `work_folder`: folders for work files

pub(crate) mod chunks;
pub(crate) mod depth;
pub(crate) mod implausible_counts;
pub(crate) mod log;
pub(crate) mod log_planes;
pub(crate) mod sidecar;
pub(crate) mod solution_info;
pub(crate) mod timings;
pub(crate) mod work_folder;
