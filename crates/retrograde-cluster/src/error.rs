//! Errors of a cluster, in terms of what the user started: the process, its address, and a remedy.

use std::path::{Path, PathBuf};

use retrograde_game::system_reason;
use retrograde_solve::SolveError;
use retrograde_solve::together::SinkError;
use retrograde_table::TableError;

/// The end of the message of [`ClusterError::Peer`].
pub(crate) const GOES_ON: &str = "; the saved work is kept: start all processes again to resume";

/// Why a solve on several processes did not start or did not finish.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// A host file that cannot be used.
    #[error("{file}{}: {reason}", line_clause(*line))]
    Hosts {
        /// The file.
        file: PathBuf,
        /// The line, from 1; 0 for the file as a whole.
        line: usize,
        /// The reason.
        reason: String,
    },
    /// A pattern of addresses that cannot be used.
    #[error("{pattern}: {reason}")]
    HostPattern {
        /// The pattern as it was written.
        pattern: String,
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
    /// An invalid key.
    #[error("{file}: {reason}")]
    Key {
        /// The file.
        file: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The processes did not find each other, or do not agree on what to solve.
    #[error("{0}")]
    Connect(String),
    /// A process has disappeared, is silent, or has reported why it stopped.
    #[error("{0}{GOES_ON}")]
    Peer(String),
    /// A checkpoint that cannot be resumed.
    #[error("{file}: {reason}")]
    Checkpoint {
        /// The file.
        file: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The sink of process 0 failed.
    #[error(transparent)]
    Sink(SinkError),
    /// An error of a solver.
    #[error(transparent)]
    Solve(SolveError),
}

/// `:3` for line 3; empty for a file as a whole.
fn line_clause(line: usize) -> String {
    if line == 0 { String::new() } else { format!(":{line}") }
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

    /// A checkpoint that cannot be resumed.
    pub(crate) fn checkpoint(file: &Path, reason: impl Into<String>) -> ClusterError {
        ClusterError::Checkpoint { file: file.to_owned(), reason: reason.into() }
    }
}
