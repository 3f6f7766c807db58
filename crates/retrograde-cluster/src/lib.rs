//! The solvers of Retrograde on several machines.

mod beat;
mod connect;
mod deal;
mod error;
mod handshake;
mod hosts;
mod packet;
mod session;
mod stream;
mod watch;
mod wire;

pub use connect::Join;
pub use deal::Deal;
pub use error::ClusterError;
pub use handshake::Key;
pub use hosts::{Hosts, MOST_PROCESSES};
pub use session::{Seat, Session};
