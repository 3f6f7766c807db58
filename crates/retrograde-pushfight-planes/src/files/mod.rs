//! All files: logs of a solve, depth files of a solution, small files beside it. Their formats
//! stand beside the code that writes them.
//!
//! - `log`: logs of phases; `log_planes`: planes from logs
//! - `chunks`: work files of a solve in parts
//! - `depth`: files of losses and wins
//! - `solution_info`: the description of a solution
//! - `timings`, `implausible_counts`: files beside a solution; `sidecar`: how these are read and
//!   written
//! - `work_folder`: folders for work files
//! - `errors`: errors of files as errors of a solve

pub(crate) mod chunks;
pub(crate) mod depth;
pub(crate) mod errors;
pub(crate) mod implausible_counts;
pub(crate) mod log;
pub(crate) mod log_planes;
pub(crate) mod sidecar;
pub(crate) mod solution_info;
pub(crate) mod timings;
pub(crate) mod work_folder;
