//! Writes tables, and work files from which interrupted solvers resume.

pub(crate) mod block_log;
pub(crate) mod spill;
pub(crate) mod work;
pub(crate) mod writer;
