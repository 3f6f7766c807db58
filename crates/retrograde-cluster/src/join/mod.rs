//! How processes find each other and make sure that they belong together: the host file, the handshake with a
//! key, and the connections that result.

mod connect;
mod handshake;
mod hosts;

pub use connect::JoinOptions;
pub(crate) use connect::{Connections, connect};
pub use handshake::Key;
pub use hosts::{Hosts, MOST_PROCESSES};
