//! Errors of a cluster, in terms of what the user started: the process, its address, and a remedy.

use std::path::PathBuf;

use retrograde_game::system_reason;
use retrograde_solve::SolveError;
use retrograde_solve::together::SinkError;
use retrograde_table::TableError;

/// The end of the message of [`ClusterError::Peer`].
pub(crate) const GOES_ON: &str = "; the saved work is kept: start all processes again to resume";

/// Why a solve on several processes did not start or did not finish.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// A host file, a pattern of addresses, a key or a checkpoint that cannot be used.
    #[error("{place}: {reason}")]
    Unusable {
        /// The file, perhaps with a line, or the pattern.
        place: String,
        /// The reason.
        reason: String,
    },
    /// A file that cannot be read or written.
    #[error("cannot read or write “{file}”: {}", system_reason(error))]
    File {
        /// The file.
        file: PathBuf,
        /// An error of the system.
        error: std::io::Error,
    },
    /// An error of the code that reads and writes tables.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The processes did not find each other, or do not agree on what to solve.
    #[error("{0}")]
    Connect(String),
    /// A process has disappeared, is silent, or has reported why it stopped.
    #[error("{0}{GOES_ON}")]
    Peer(String),
    /// The sink of process 0 failed.
    #[error(transparent)]
    Sink(SinkError),
    /// An error of a solver.
    #[error(transparent)]
    Solve(SolveError),
}

impl From<SolveError> for ClusterError {
    fn from(error: SolveError) -> ClusterError {
        match error {
            SolveError::Outside(error) => match error.downcast::<ClusterError>() {
                Ok(error) => *error,
                Err(error) => ClusterError::Sink(error),
            },
            error => ClusterError::Solve(error),
        }
    }
}

impl From<ClusterError> for SolveError {
    fn from(error: ClusterError) -> SolveError {
        match error {
            ClusterError::Solve(error) => error,
            ClusterError::Sink(error) => SolveError::Outside(error),
            error => SolveError::Outside(Box::new(error)),
        }
    }
}

impl ClusterError {
    pub(crate) fn file(file: impl Into<PathBuf>, error: std::io::Error) -> ClusterError {
        ClusterError::File { file: file.into(), error }
    }

    pub(crate) fn unusable(place: impl std::fmt::Display, reason: impl Into<String>) -> ClusterError {
        ClusterError::Unusable { place: place.to_string(), reason: reason.into() }
    }
}
