//! Derives further results from a solution.
//!
//! - `values`: values of all positions in a scope from known ones, used by
//! - `implausible`: counts of implausible positions,
//! - `scores`: the scores of many positions at once, and
//! - `proof`: the proof of a solution
//! - `recover_log`: logs from the files of a solution
//! - `wins`: the file of wins
//! - `minimized`: the values of all plausible positions, in the order of another numbering
//! - `placements`: the table of positions before the first push

pub(crate) mod implausible;
pub(crate) mod minimized;
pub(crate) mod placements;
pub(crate) mod proof;
pub(crate) mod recover_log;
pub(crate) mod scores;
pub(crate) mod values;
pub(crate) mod wins;
