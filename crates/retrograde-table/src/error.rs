//! Errors of tables. An error names the file and, where blocks are concerned, the block, so that a
//! user knows what to fetch again or to solve again. A value read from a table is right, or it is
//! one of these errors.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use retrograde_game::{Index, system_reason};

/// A place in the files of a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FilePart {
    /// The manifest.
    Manifest,
    /// The first bytes of a file, which say what it is.
    Header,
    /// The last bytes of a file of values, which say where its blocks are described.
    Footer,
    /// A page of the descriptions of blocks, counted from 0.
    Page(u64),
    /// A block of values (in a work file: of the solver's bytes), counted from 0.
    Block(u64),
    /// The file as a whole, as its checksum in the manifest sees it.
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

/// A version that a table carries.
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

/// Why a table cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// There is no table of the game.
    #[error("there is no table of {game} in {}", path.display())]
    NotFound {
        /// The game that was asked for.
        game: String,
        /// The directory that would hold it.
        path: PathBuf,
    },
    /// Someone began to write the table and did not finish.
    #[error("the table in {} is not complete: solving was interrupted; solve the game again", path.display())]
    Incomplete {
        /// The directory.
        path: PathBuf,
    },
    /// Another process, or another part of this one, is writing the table.
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
        /// Its content.
        found: String,
        /// The one that was asked for.
        expected: String,
    },
    /// The file is of another version.
    #[error("{} has {what} {found}, this program has {expected}; solve the game again", file.display())]
    WrongVersion {
        /// The file.
        file: PathBuf,
        /// The version that differs.
        what: VersionKind,
        /// The version in the file.
        found: u128,
        /// The version that this program reads.
        expected: u128,
    },
    /// The file is shorter, or longer, than it should be.
    #[error("{} is {found} bytes long and should be {expected}: it was cut off or added to", file.display())]
    Truncated {
        /// The file.
        file: PathBuf,
        /// Its length in bytes.
        found: u64,
        /// The length it should have.
        expected: u64,
    },
    /// The file was altered, or the disk is failing.
    #[error("{} is damaged in {place}: {reason}", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// Where.
        place: FilePart,
        /// The sign by which it was noticed.
        reason: String,
    },
    /// The file is none of ours.
    #[error("{} is not a file of Retrograde: {reason}", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// The sign by which it was noticed.
        reason: String,
    },
    /// The file of others, which is kept beside ours, cannot be read as what its name says.
    #[error("{} cannot be used: {reason}", file.display())]
    Unusable {
        /// The file.
        file: PathBuf,
        /// Why not.
        reason: String,
    },
    /// No permission.
    #[error("no permission to {action} {}", path.display())]
    Permission {
        /// The action that failed: "read", "write", …
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The disk is full.
    #[error("the disk is full: cannot {action} {}", path.display())]
    DiskFull {
        /// The action that failed.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Anything else that the system refuses.
    #[error("cannot {action} {}: {}", path.display(), system_reason(source))]
    Io {
        /// The action that failed.
        action: &'static str,
        /// On what.
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
        /// Where.
        index: Index,
        /// Why.
        reason: &'static str,
    },
    /// The writer was called with something that does not fit the manifest.
    #[error("the table of {game} cannot be written: {reason}")]
    Misused {
        /// The game.
        game: String,
        /// The reason.
        reason: String,
    },
}

impl TableError {
    /// An error of the system, with the path.
    pub fn io(action: &'static str, path: &Path, source: io::Error) -> TableError {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                TableError::Permission { action, path, source }
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                TableError::DiskFull { action, path, source }
            }
            io::ErrorKind::FileTooLarge => {
                let reason = "it would be larger than the system allows (see `ulimit -f`)";
                TableError::Io { action, path, source: io::Error::new(source.kind(), reason) }
            }
            _ => TableError::Io { action, path, source },
        }
    }

    /// That a file was altered, or the disk is failing.
    pub fn damaged(file: &Path, place: FilePart, reason: impl Into<String>) -> TableError {
        TableError::Damaged { file: file.to_owned(), place, reason: reason.into() }
    }

    /// That a file is none of ours.
    pub fn foreign(file: &Path, reason: impl Into<String>) -> TableError {
        TableError::Foreign { file: file.to_owned(), reason: reason.into() }
    }

    /// That a file of others cannot be read as what its name says.
    pub fn unusable(file: &Path, reason: impl Into<String>) -> TableError {
        TableError::Unusable { file: file.to_owned(), reason: reason.into() }
    }

    /// Whether solving the game, or finishing to solve it, is all that is missing.
    pub fn is_absent(&self) -> bool {
        matches!(self, TableError::NotFound { .. } | TableError::Incomplete { .. })
    }
}

/// Keeps the kind that the system gave, and adds all the context.
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
