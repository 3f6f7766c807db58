//! The file system behind one small trait, so that tests can fill the disk, cut reads short, flip
//! bits and kill a writer at any step; everything that the solvers keep in
//! a game's directory goes through here, except for locks.
//!
//! Files are read by position (`pread`), not mapped into memory: a file that is cut off or fails
//! while it is open then gives an error, where a mapping would kill the process, and a read of a
//! block that is in the page cache takes about a microsecond either way.

pub(crate) mod memory;
mod regular;

use std::ffi::{OsStr, OsString};
use std::fmt::Debug;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use crate::error::TableError;

pub use regular::open_regular;

/// The end of the name of an unfinished file.
pub(crate) const UNFINISHED: &str = ".tmp";

/// Bytes that are written at a time.
const BUFFER_BYTES: usize = 1 << 20;

/// A file that is read.
pub trait Source: Send + Sync {
    /// Reads up to `buffer.len()` bytes from `offset` on and says how many. Fewer than asked for
    /// may come at any time (a *short read*) and mean nothing; 0 means that the file ends at or
    /// before `offset`.
    ///
    /// # Errors
    /// An error of the system; the callers try [`io::ErrorKind::Interrupted`] again.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// The length of the file in bytes now.
    ///
    /// # Errors
    /// An error of the system.
    fn length(&self) -> io::Result<u64>;

    /// Whether [`Source::prepare`] does anything, so that nobody finds out ranges in vain.
    fn wants_notice(&self) -> bool {
        false
    }

    /// Says that these bytes will be asked for next, all of them. A file on a disk does nothing; one
    /// that lies far away can get them merged and at the same time.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if they are not here and waiting is impossible; or an error of
    /// the system.
    fn prepare(&self, ranges: &[Range<u64>]) -> io::Result<()> {
        let _ = ranges;
        Ok(())
    }
}

/// A new file that is written from its beginning to its end.
pub trait Sink: Send {
    /// Appends some of the bytes, at least one, and says how many; fewer than given may be taken.
    ///
    /// # Errors
    /// An error of the system, such as a full disk.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// Returns when everything written is on the disk.
    ///
    /// # Errors
    /// An error of the system, such as late news of a full or failing disk.
    fn sync(&mut self) -> io::Result<()>;
}

/// The file system, as far as tables need it. Where nothing can be written only [`Storage::open`] and
/// [`Storage::names`] are there; everything else refuses.
pub trait Storage: Send + Sync + Debug {
    /// Opens a file for reading.
    ///
    /// # Errors
    /// An error of the system.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>>;

    /// The names in a directory, in no order; those that are no Unicode are left out.
    ///
    /// # Errors
    /// An error of the system.
    fn names(&self, path: &Path) -> io::Result<Vec<String>>;

    /// The answer to whoever wants to write where nothing can be written.
    fn refusal(&self) -> io::Error {
        io::ErrorKind::ReadOnlyFilesystem.into()
    }

    /// Creates a file, or empties one that is there, for writing.
    ///
    /// # Errors
    /// An error of the system.
    fn create(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        let _ = path;
        Err(self.refusal())
    }

    /// Opens a file for writing at its end, or creates it.
    ///
    /// # Errors
    /// An error of the system.
    fn append(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        let _ = path;
        Err(self.refusal())
    }

    /// Renames a file within its directory, replacing what has the new name, at once and whole.
    ///
    /// # Errors
    /// An error of the system; then nothing has changed.
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

    /// Makes a directory, and those above it, where they are missing.
    ///
    /// # Errors
    /// An error of the system.
    fn create_directory(&self, path: &Path) -> io::Result<()> {
        let _ = path;
        Err(self.refusal())
    }

    /// Removes a directory with everything in it.
    ///
    /// # Errors
    /// An error of the system.
    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        let _ = path;
        Err(self.refusal())
    }

    /// Returns when the names in a directory are on the disk.
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

/// Fills the buffer from `offset` on; says how many bytes there were before the end of the file.
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

/// The whole of a file that is expected to be at most `most` bytes long; `None` if it is longer.
///
/// # Errors
/// An error of the system.
pub fn read_whole(source: &dyn Source, most: u64) -> io::Result<Option<Vec<u8>>> {
    let length = source.length()?;
    if length > most {
        return Ok(None);
    }
    let mut bytes = vec![0; length as usize];
    let read = read_up_to(source, &mut bytes, 0)?;
    bytes.truncate(read);
    Ok(Some(bytes))
}

/// A sink as the standard library's writers know it.
struct Writer<'a>(&'a mut dyn Sink);

impl Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The name of a file, shortened if it is so long that `more` bytes cannot be added to it: file systems
/// allow 255 bytes. Different names have different short ones.
pub fn short_name(name: &OsStr, more: usize) -> OsString {
    const LONGEST: usize = 255;
    let bytes = name.as_encoded_bytes();
    if bytes.len() + more <= LONGEST {
        return name.to_owned();
    }
    let hash = blake3::hash(bytes).to_hex();
    let text = String::from_utf8_lossy(bytes);
    let mut end = LONGEST - more - 33;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}~{}", &text[..end], &hash.as_str()[..32]).into()
}

/// Writes a file under another name, syncs it, and gives it its name: afterwards it is the old one
/// or the new one, whole. The unfinished file is removed if that fails. `fill` writes through a
/// buffer.
///
/// # Errors
/// An error of the system, or the one of `fill`.
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
        // Bytes that a failed write has left in the buffer are not written again.
        let _ = out.into_parts();
        filled?;
        sink.sync()?;
        drop(sink);
        storage.rename(&unfinished, path)?;
        if let Some(directory) = path.parent() {
            storage.sync_directory(directory)?;
        }
        Ok(())
    };
    write().map_err(|error| {
        let _ = storage.remove(&unfinished);
        TableError::io("write", path, error)
    })
}
