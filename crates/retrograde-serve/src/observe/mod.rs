//! The log and the counters, for operators.

pub(crate) mod log;
pub(crate) mod metrics;
