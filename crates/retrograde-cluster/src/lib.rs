//! The solvers of Retrograde on several machines.

mod ask;
mod beat;
mod checkpoint;
mod connect;
mod deal;
mod error;
mod gather;
mod graded;
mod handshake;
mod hosts;
mod packet;
mod retrograde;
mod run;
mod session;
mod stream;
mod watch;
mod wire;

pub use checkpoint::Shards;
pub use connect::Join;
pub use deal::Deal;
pub use error::ClusterError;
pub use graded::{GRADED_BYTES, graded};
pub use handshake::Key;
pub use hosts::{Hosts, MOST_PROCESSES};
pub use retrograde::{RETROGRADE_BYTES, retrograde, retrograde_by_predecessors};
pub use run::Job;
pub use session::{Seat, Session};
