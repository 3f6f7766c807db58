//! Why the server does not run.

use std::net::SocketAddr;

/// Why the server does not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Another program has the address.
    #[error("{address} is taken: another program listens there; choose another address with --listen")]
    Taken {
        /// The address.
        address: SocketAddr,
    },
    /// The system refuses the address.
    #[error("cannot listen on {address}: {}", retrograde_game::system_reason(reason))]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The reason that the system gives.
        reason: std::io::Error,
    },
    /// The system refuses the threads.
    #[error("cannot start the threads of the server: {0}")]
    Threads(std::io::Error),
}
