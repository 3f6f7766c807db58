//! Errors that prevent the server from running.

use std::net::SocketAddr;

/// An error that prevents the server from running.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Another program uses the address.
    #[error("another program already listens on {address}; choose another address with --listen")]
    Taken {
        /// The address.
        address: SocketAddr,
    },
    /// The system rejects the address.
    #[error("cannot listen on {address}: {}", retrograde_game::system_reason(reason))]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        reason: std::io::Error,
    },
    /// The system cannot start the threads.
    #[error("cannot start the threads of the server: {0}")]
    Threads(std::io::Error),
}
