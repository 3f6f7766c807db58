//! What the operator sees of a running server: its log and its counters.

pub(crate) mod log;
pub(crate) mod metrics;
