//! Joining: processes find each other by the host file and prove by a handshake with a key that
//! they belong together. The results are their connections.

mod connect;
mod handshake;
mod hosts;

pub use connect::JoinOptions;
#[cfg(feature = "fuzzing")]
pub(crate) use connect::introduced;
pub(crate) use connect::{Connections, connect};
pub use handshake::Key;
#[cfg(feature = "fuzzing")]
pub(crate) use handshake::{call, listen};
pub use hosts::{Hosts, MAX_PROCESSES};
