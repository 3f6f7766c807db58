//! Writing tables, and the work files that interrupted solvers go on from.

pub(crate) mod compressed;
mod pipeline;
pub(crate) mod spill;
pub(crate) mod work;
pub(crate) mod writer;
