//! Errors of tables. An error names the file and, if it concerns one, the block, so users know
//! what to download or solve again. Reading a value returns the right value or one of these errors.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use retrograde_game::{Index, system_reason};
use retrograde_solve::SolveError;

/// A part of the files of a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FilePart {
    /// The manifest.
    Manifest,
    /// The first bytes of a file, which identify it.
    Header,
    /// The last bytes of a file of values, which locate the block descriptions.
    Footer,
    /// A page of block descriptions, counted from 0.
    Page(u64),
    /// A block of values, or of the solver's bytes in a work file, counted from 0.
    Block(u64),
    /// The file as a whole, which its checksum in the manifest covers.
    Whole,
}

impl fmt::Display for FilePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FilePart::Manifest => f.write_str("the manifest"),
            FilePart::Header => f.write_str("the header"),
            FilePart::Footer => f.write_str("the footer"),
            FilePart::Page(page) => write!(f, "page {page} of the block descriptions"),
            FilePart::Block(block) => write!(f, "block {block}"),
            FilePart::Whole => f.write_str("the file as a whole"),
        }
    }
}

impl FilePart {
    /// " in block 3"; empty for a whole file, such as the manifest.
    fn clause(&self) -> String {
        match self {
            FilePart::Whole | FilePart::Manifest => String::new(),
            part => format!(" in {part}"),
        }
    }
}

/// A version recorded in a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VersionKind {
    /// The format of the files.
    Format,
    /// The rules of the game.
    Rules,
    /// The numbering of positions.
    Numbering,
    /// The number of indices, which changes with the numbering.
    IndexCount,
}

impl fmt::Display for VersionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            VersionKind::Format => "file format version",
            VersionKind::Rules => "rules version",
            VersionKind::Numbering => "numbering version",
            VersionKind::IndexCount => "number of indices",
        })
    }
}

/// The reason why a table cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// There is no table of the game.
    #[error("there is no table of {game} in {}", path.display())]
    NotFound {
        /// The requested game.
        game: String,
        /// The directory in which it would be.
        path: PathBuf,
    },
    /// The table was begun but not finished.
    #[error("the table in {} is not complete: solving was interrupted; solve the game again", path.display())]
    Incomplete {
        /// The directory.
        path: PathBuf,
    },
    /// Another process, or another part of this process, is writing the table.
    #[error("the table in {} is being written by another process", path.display())]
    Locked {
        /// The directory.
        path: PathBuf,
    },
    /// The file belongs to another game, kind of table or solver.
    #[error("{} belongs to {found}, not to {expected}", file.display())]
    WrongGame {
        /// The file.
        file: PathBuf,
        /// The owner that the file names.
        found: String,
        /// The owner that was expected.
        expected: String,
    },
    /// The file has another version.
    #[error("{} has {what} {found}, this program has {expected}; solve the game again", file.display())]
    WrongVersion {
        /// The file.
        file: PathBuf,
        /// The kind of version that differs.
        what: VersionKind,
        /// The version in the file.
        found: u128,
        /// The version that this program supports.
        expected: u128,
    },
    /// The file has the wrong length.
    #[error("{} was truncated or extended: its length in bytes is {found}, not {expected}", file.display())]
    Truncated {
        /// The file.
        file: PathBuf,
        /// Its actual length in bytes.
        found: u64,
        /// Its expected length in bytes.
        expected: u64,
    },
    /// The file was altered, or the disk is failing.
    #[error("{} is damaged{}: {reason}", file.display(), place.clause())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The damaged part.
        place: FilePart,
        /// How the damage was detected.
        reason: String,
    },
    /// The file was not written by this program.
    #[error("{} is not a Retrograde file: {reason}", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// How this was detected.
        reason: String,
    },
    /// A file from another program, stored next to the tables, cannot be read in the format that
    /// its name implies.
    #[error("{} cannot be used: {reason}", file.display())]
    Unusable {
        /// The file.
        file: PathBuf,
        /// The reason.
        reason: String,
    },
    /// Permission was denied.
    #[error("no permission to {action} {}", path.display())]
    Permission {
        /// The action that failed: "read", "write", …
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The disk is full.
    #[error("the disk is full: cannot {action} {}", path.display())]
    DiskFull {
        /// The action that failed.
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Any other error of the system.
    #[error("cannot {action} {}: {}", path.display(), system_reason(source))]
    Io {
        /// The action that failed.
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The table has no such index.
    #[error("index {index} is past the end: the table has {count} indices")]
    OutOfRange {
        /// The index.
        index: Index,
        /// The number of indices.
        count: u64,
    },
    /// A value that this kind of table cannot hold.
    #[error("a table of this kind cannot hold the value at index {index}: {reason}")]
    Unstorable {
        /// The index.
        index: Index,
        /// The reason.
        reason: &'static str,
    },
    /// The writer was called with arguments that do not match the manifest.
    #[error("the table of {game} cannot be written: {reason}")]
    Misused {
        /// The game.
        game: String,
        /// The reason.
        reason: String,
    },
}

impl TableError {
    /// Creates an error from an error of the system.
    pub fn io(action: &'static str, path: &Path, source: io::Error) -> TableError {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                TableError::Permission { action, path, source }
            }
            // An error with a text says more.
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded if source.get_ref().is_none() => {
                TableError::DiskFull { action, path, source }
            }
            io::ErrorKind::FileTooLarge => {
                let reason = "it would be larger than the system allows (see `ulimit -f`)";
                TableError::Io { action, path, source: io::Error::new(source.kind(), reason) }
            }
            _ => TableError::Io { action, path, source },
        }
    }

    /// Creates a [`TableError::Damaged`].
    pub fn damaged(file: &Path, place: FilePart, reason: impl Into<String>) -> TableError {
        TableError::Damaged { file: file.to_owned(), place, reason: reason.into() }
    }

    /// Creates a [`TableError::Foreign`].
    pub fn foreign(file: &Path, reason: impl Into<String>) -> TableError {
        TableError::Foreign { file: file.to_owned(), reason: reason.into() }
    }

    /// Creates a [`TableError::Unusable`].
    pub fn unusable(file: &Path, reason: impl Into<String>) -> TableError {
        TableError::Unusable { file: file.to_owned(), reason: reason.into() }
    }
}

/// Keeps the kind of the system's error and adds the context.
impl From<TableError> for io::Error {
    fn from(error: TableError) -> io::Error {
        let kind = match &error {
            TableError::Permission { source, .. }
            | TableError::DiskFull { source, .. }
            | TableError::Io { source, .. } => source.kind(),
            TableError::NotFound { .. } => io::ErrorKind::NotFound,
            _ => io::ErrorKind::InvalidData,
        };
        io::Error::new(kind, error)
    }
}

impl From<TableError> for SolveError {
    fn from(error: TableError) -> SolveError {
        io::Error::from(error).into()
    }
}
