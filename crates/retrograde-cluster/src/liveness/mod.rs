//! Failure detection: a heartbeat in addition to the connections of the engine, a guard around these, and the
//! monitor that records the first failure.

mod failure;
mod heartbeat;
mod stream;

pub(crate) use failure::FailureMonitor;
pub(crate) use heartbeat::Heartbeat;
#[cfg(feature = "fuzzing")]
pub(crate) use heartbeat::fault_in;
pub(crate) use stream::{Guarded, Link};
