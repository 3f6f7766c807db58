//! Errors of exploring a game, with what a user needs to fix them.

use retrograde_game::TextError;
use retrograde_solve::SolveError;
use retrograde_table::TableError;

/// The reason why a request has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A position, a turn or a name that cannot be parsed.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A turn of a list that cannot be parsed or is illegal.
    #[error("turn {number} {}", error.quoted())]
    Turn {
        /// Its number, counted from 1.
        number: usize,
        /// The error in it.
        error: TextError,
    },
    /// One of many positions that cannot be parsed or has no index.
    #[error("position number {number}, counted from 0: {error}")]
    Item {
        /// Its number, counted from 0.
        number: usize,
        /// The error in it.
        error: Box<TextError>,
    },
    /// The table cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The solver did not finish.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The request needs a table, but there is none.
    #[error("there is no table of {game}; `retrograde solve {command_name}` makes one")]
    NoTable {
        /// The canonical name.
        game: String,
        /// The name by which commands find the game, quoted for a shell if necessary.
        command_name: String,
    },
    /// The game or its table cannot do this.
    #[error("{0}")]
    Unsupported(String),
    /// It does not fit into this machine or the allowed memory.
    #[error("{0}")]
    TooLarge(String),
    /// The time limit of [`Bounds`](crate::Bounds) is over.
    #[error("the time limit for an answer was reached")]
    TimedOut,
    /// Several processes could not solve a game together.
    #[cfg(feature = "cluster")]
    #[error(transparent)]
    Cluster(#[from] retrograde_cluster::ClusterError),
    /// The user asked to stop.
    #[error("stopped")]
    Stopped,
    /// Writing an answer failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl Error {
    /// Adds the number of the turn that the error is about, counted from 1.
    #[must_use]
    pub fn of_turn(self, number: usize) -> Error {
        match self {
            Error::Text(error) => Error::Turn { number, error },
            error => error,
        }
    }

    /// Whether the user asked to stop and nothing went wrong.
    pub fn is_stopped(&self) -> bool {
        matches!(self, Error::Stopped | Error::Solve(SolveError::Stopped))
    }
}
