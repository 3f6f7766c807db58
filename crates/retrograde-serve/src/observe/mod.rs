//! The log and the counters, which show an operator how a running server fares.

pub(crate) mod log;
pub(crate) mod metrics;
