//! Spill files for data that does not fit into memory. To a solver, they are named byte streams that
//! are either complete or absent. Files of an earlier run remain, so a resumed run can reuse them.

use std::io::{self, Read, Write};

/// The spill files of one solve.
pub trait Spill: Send + Sync {
    /// Writes a file, replacing any file of that name. It exists only once this returns, and is then
    /// complete and on disk.
    ///
    /// # Errors
    /// Returns an I/O error, such as a full disk, or the error of `fill`.
    fn write(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()>;

    /// Opens a file for reading from beginning to end.
    ///
    /// # Errors
    /// Returns an I/O error. The reader itself returns an error when it reaches damaged data.
    fn read(&self, name: &str) -> io::Result<Box<dyn Read + Send>>;

    /// Removes a file.
    ///
    /// # Errors
    /// Returns an I/O error.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Returns the names of all files, in no particular order.
    ///
    /// # Errors
    /// Returns an I/O error.
    fn names(&self) -> io::Result<Vec<String>>;
}
