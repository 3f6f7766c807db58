//! Folders for work files in the folder of a solution.

use std::io;
use std::path::Path;

use retrograde_solve::SolveError;
use retrograde_table::{Storage, TableError};

/// The folder of scores.
pub(crate) const SCORES: &str = "ahead";
/// The folder of the counts of implausible positions.
pub const IMPLAUSIBLE: &str = "others";
/// The folder of a proof.
pub(crate) const PROOF: &str = "verify";

/// Creates a folder for work files, unless it exists.
pub(crate) fn make(work: &Path, storage: &dyn Storage) -> Result<(), SolveError> {
    Ok(storage.create_directory(work).map_err(|error| TableError::io("write", work, error))?)
}

/// Removes a folder of work files, if it exists.
pub(crate) fn clear(work: &Path, storage: &dyn Storage) -> Result<(), SolveError> {
    match storage.remove_directory(work) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(TableError::io("remove", work, error).into())
        }
        _ => Ok(()),
    }
}
