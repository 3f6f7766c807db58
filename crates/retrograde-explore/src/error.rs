//! Everything that can go wrong when a game is explored, with what a user needs to mend it.

use retrograde_game::TextError;
use retrograde_solve::SolveError;
use retrograde_table::TableError;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A position, a turn or a name that cannot be read.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A turn of a list that cannot be read or is not legal.
    #[error("turn {number}: {error}")]
    Turn {
        /// Its number, counted from 1.
        number: usize,
        /// The fault in it.
        error: TextError,
    },
    /// One of many positions that cannot be read or that no index has.
    #[error("number {number} of the positions, counted from 0: {error}")]
    Item {
        /// Its number, counted from 0.
        number: usize,
        /// The fault in it.
        error: Box<TextError>,
    },
    /// The table cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The solver did not finish.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The question needs a table and there is none.
    #[error("there is no table of {game}; `retrograde solve {command_name}` makes one")]
    NoTable {
        /// The canonical name.
        game: String,
        /// The name by which commands find the game, ready to be typed.
        command_name: String,
    },
    /// The game or its table cannot do this.
    #[error("{0}")]
    Unsupported(String),
    /// It does not fit this machine, or what was allowed.
    #[error("{0}")]
    TooLarge(String),
    /// The time that [`Bounds`](crate::Bounds) gave is over.
    #[error("the time for an answer is over")]
    TimedOut,
    /// Several processes could not solve a game together.
    #[cfg(feature = "cluster")]
    #[error(transparent)]
    Cluster(#[from] retrograde_cluster::ClusterError),
    /// Someone asked to stop.
    #[error("stopped")]
    Stopped,
    /// Writing an answer failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl Error {
    /// Whether someone asked to stop, and nothing went wrong.
    pub fn is_stopped(&self) -> bool {
        matches!(self, Error::Stopped | Error::Solve(SolveError::Stopped))
    }
}
