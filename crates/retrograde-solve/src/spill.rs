//! Files for what does not fit into memory, as a solver sees them: named streams of bytes, each
//! whole or not there. What was written by an earlier run is there still, so that its work need not
//! be done again.

use std::io::{self, Read, Write};

/// Files of one solve.
pub trait Spill: Send + Sync {
    /// Writes a file, in place of one of that name. Only when this has come back is it there, and
    /// then on the disk, whole.
    ///
    /// # Errors
    /// An error of the system, such as a full disk, or the one of `fill`.
    fn write(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()>;

    /// Opens a file, to be read from its beginning to its end.
    ///
    /// # Errors
    /// An error of the system. Damage is an error of the reader, when it comes to it.
    fn read(&self, name: &str) -> io::Result<Box<dyn Read + Send>>;

    /// Removes a file.
    ///
    /// # Errors
    /// An error of the system.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// The names of all files, in no order.
    ///
    /// # Errors
    /// An error of the system.
    fn names(&self) -> io::Result<Vec<String>>;
}
