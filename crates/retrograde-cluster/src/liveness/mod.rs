//! Noticing that a process has failed: a heartbeat beside the connections of the engine, a guard
//! around these, and the one place where the first failure is noted.

mod failure;
mod heartbeat;
mod stream;

pub(crate) use failure::FailureMonitor;
pub(crate) use heartbeat::Heartbeat;
#[cfg(feature = "fuzzing")]
pub(crate) use heartbeat::heard;
pub(crate) use stream::{Guarded, Link};
