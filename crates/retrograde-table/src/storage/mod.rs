//! The file system behind a small trait, so that tests can fill the disk, shorten reads, flip bits
//! and kill a writer at any step. Everything that solvers store in a game's directory goes through
//! it, except locks, which private files do not need.
//!
//! Files are read by position (`pread`), not mapped into memory. If a file is truncated or fails
//! while it is open, a read returns an error, whereas a mapping would kill the process. Reading a
//! block from the page cache takes about a microsecond either way.

pub(crate) mod memory;
mod regular;

use std::ffi::{OsStr, OsString};
use std::fmt::Debug;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use crate::error::{FilePart, TableError};

pub use regular::open_regular;

/// The suffix of unfinished files.
pub(crate) const UNFINISHED: &str = ".tmp";

/// The number of bytes written at a time.
const BUFFER_BYTES: usize = 1 << 20;

/// A file open for reading.
pub trait Source: Send + Sync {
    /// Reads up to `buffer.len()` bytes from `offset` on and returns their number. Any read may
    /// return fewer bytes (a *short read*); 0 means that the file ends at or before `offset`.
    ///
    /// # Errors
    /// An error of the system. Callers retry after [`io::ErrorKind::Interrupted`].
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// The current length of the file in bytes.
    ///
    /// # Errors
    /// An error of the system.
    fn length(&self) -> io::Result<u64>;

    /// Whether [`Source::prepare`] has an effect; if not, callers do not compute ranges for it.
    fn needs_prepare(&self) -> bool {
        false
    }

    /// Announces that all these ranges will be read next. Does nothing for a file on a disk; a
    /// remote file can merge the ranges and fetch them at the same time.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if the bytes are not here yet and waiting is impossible; or an
    /// error of the system.
    fn prepare(&self, ranges: &[Range<u64>]) -> io::Result<()> {
        let _ = ranges;
        Ok(())
    }
}

/// A new file that is written from beginning to end.
pub trait Sink: Send {
    /// Appends some of the bytes, at least one, and returns their number.
    ///
    /// # Errors
    /// An error of the system, such as a full disk.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// Waits until everything written is on the disk.
    ///
    /// # Errors
    /// An error of the system, such as the delayed report of a full or failing disk.
    fn sync(&mut self) -> io::Result<()>;
}

/// The file system operations that tables need. A read-only storage implements only
/// [`Storage::open`] and [`Storage::names`]; all other operations fail.
pub trait Storage: Send + Sync + Debug {
    /// Opens a file for reading.
    ///
    /// # Errors
    /// An error of the system.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>>;

    /// Lists the names in a directory in no particular order. Leaves out names that are not Unicode.
    ///
    /// # Errors
    /// An error of the system.
    fn names(&self, path: &Path) -> io::Result<Vec<String>>;

    /// Whether no other process can see the files. Then their directories need no locks.
    fn is_private(&self) -> bool {
        false
    }

    /// The error for attempts to write to a read-only storage.
    fn refusal(&self) -> io::Error {
        io::ErrorKind::ReadOnlyFilesystem.into()
    }

    /// Creates a file for writing. Truncates it if it exists.
    ///
    /// # Errors
    /// An error of the system.
    fn create(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        let _ = path;
        Err(self.refusal())
    }

    /// Opens a file for appending. Creates it if necessary.
    ///
    /// # Errors
    /// An error of the system.
    fn append(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        let _ = path;
        Err(self.refusal())
    }

    /// Renames a file within its directory. Atomically replaces an existing file with the new name.
    ///
    /// # Errors
    /// An error of the system, without any change.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let _ = (from, to);
        Err(self.refusal())
    }

    /// Removes a file.
    ///
    /// # Errors
    /// An error of the system.
    fn remove(&self, path: &Path) -> io::Result<()> {
        let _ = path;
        Err(self.refusal())
    }

    /// Creates a directory and its parents where they are missing.
    ///
    /// # Errors
    /// An error of the system.
    fn create_directory(&self, path: &Path) -> io::Result<()> {
        let _ = path;
        Err(self.refusal())
    }

    /// Removes a directory and everything in it.
    ///
    /// # Errors
    /// An error of the system.
    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        let _ = path;
        Err(self.refusal())
    }

    /// Waits until the names in a directory are on the disk.
    ///
    /// # Errors
    /// An error of the system.
    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        let _ = path;
        Err(self.refusal())
    }
}

/// The file system of this machine.
#[derive(Clone, Copy, Debug)]
pub struct DiskStorage;

impl Storage for DiskStorage {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        Ok(Box::new(open_regular(path, OpenOptions::new().read(true))?))
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        let file = open_regular(path, OpenOptions::new().write(true).create(true).truncate(false))?;
        file.set_len(0)?;
        Ok(Box::new(file))
    }

    fn append(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        Ok(Box::new(open_regular(path, OpenOptions::new().append(true).create(true))?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn create_directory(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir_all(path)
    }

    #[cfg(unix)]
    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    #[cfg(not(unix))]
    fn sync_directory(&self, _path: &Path) -> io::Result<()> {
        Ok(())
    }

    fn names(&self, path: &Path) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(path)? {
            names.extend(entry?.file_name().into_string());
        }
        Ok(names)
    }
}

impl Source for File {
    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(self, buffer, offset)
    }

    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, _buffer: &mut [u8], _offset: u64) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
}

impl Sink for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Write::write(self, bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

/// Fills the buffer from `offset` on. Returns the number of bytes read, which is less only at the
/// end of the file.
///
/// # Errors
/// An error of the system.
pub fn read_up_to(source: &dyn Source, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut done = 0;
    while done < buffer.len() {
        match source.read_at(&mut buffer[done..], offset + done as u64) {
            Ok(0) => break,
            Ok(read) => done += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

/// Writes all of the bytes.
///
/// # Errors
/// An error of the system.
pub fn write_all(sink: &mut dyn Sink, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match sink.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Reads a whole file of at most `most` bytes; `None` if it is longer.
pub(crate) fn read_whole(source: &dyn Source, most: u64) -> io::Result<Option<Vec<u8>>> {
    let length = source.length()?;
    if length > most {
        return Ok(None);
    }
    let mut bytes = vec![0; length as usize];
    let read = read_up_to(source, &mut bytes, 0)?;
    bytes.truncate(read);
    Ok(Some(bytes))
}

/// Reads a whole file of at most `most` bytes; `None` if it does not exist.
///
/// # Errors
/// If it is longer, or an error of the system.
pub fn read_file(storage: &dyn Storage, path: &Path, most: u64) -> Result<Option<Vec<u8>>, TableError> {
    match storage.open(path).and_then(|source| read_whole(&*source, most)) {
        Ok(Some(bytes)) => Ok(Some(bytes)),
        Ok(None) => Err(TableError::damaged(path, FilePart::Whole, "it is too long")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(TableError::io("read", path, error)),
    }
}

/// Adapts a sink to [`std::io::Write`].
struct Writer<'a>(&'a mut dyn Sink);

impl Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Shortens the name of a file if it is too long to append `more` bytes: file systems allow 255
/// bytes. Different names stay different.
pub fn short_name(name: &OsStr, more: usize) -> OsString {
    const MAX_LENGTH: usize = 255;
    let bytes = name.as_encoded_bytes();
    if bytes.len() + more <= MAX_LENGTH {
        return name.to_owned();
    }
    let hash = blake3::hash(bytes).to_hex();
    let text = String::from_utf8_lossy(bytes);
    let mut end = MAX_LENGTH - more - 33;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}~{}", &text[..end], &hash.as_str()[..32]).into()
}

/// Replaces a file: writes it under another name, syncs it, and renames it. Afterwards there is
/// either the old file or the new one, complete. Removes the unfinished file on failure. `fill`
/// writes through a buffer.
///
/// # Errors
/// An error of the system, or the error of `fill`.
pub fn replace_file(
    storage: &dyn Storage,
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), TableError> {
    let mut unfinished = short_name(path.file_name().unwrap_or_default(), UNFINISHED.len());
    unfinished.push(UNFINISHED);
    let unfinished = path.with_file_name(unfinished);
    let write = || {
        let mut sink = storage.create(&unfinished)?;
        let mut out = BufWriter::with_capacity(BUFFER_BYTES, Writer(&mut *sink));
        let filled = fill(&mut out).and_then(|()| out.flush());
        // Discards what a failed write left in the buffer.
        let _ = out.into_parts();
        filled?;
        sink.sync()?;
        drop(sink);
        storage.rename(&unfinished, path)?;
        if let Some(directory) = path.parent() {
            // A file name alone is in the current directory.
            let here = directory.as_os_str().is_empty();
            storage.sync_directory(if here { Path::new(".") } else { directory })?;
        }
        Ok(())
    };
    write().map_err(|error| {
        let _ = storage.remove(&unfinished);
        TableError::io("write", path, error)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_folder_is_in_the_current_one() {
        let name = format!("retrograde-test-{}", std::process::id());
        let path = Path::new(&name);
        let replaced = replace_file(&DiskStorage, path, |out| out.write_all(b"text"));
        let text = std::fs::read(path);
        std::fs::remove_file(path).unwrap();
        replaced.unwrap();
        assert_eq!(text.unwrap(), b"text");
    }
}
