//! Byte files from other programs, with one byte per value and no other content, either plain or
//! compressed with xz in small blocks. They have no manifest: the reader knows the length, and
//! rejects files of another length.
//!
//! Files are read at random, never as a whole. Plain files have no checksums, so only the length
//! can reveal damage. Compressed files have checksums, so a read returns the original byte or an
//! error that names the damaged block.

use std::io;
use std::path::{Path, PathBuf};

use crate::cache::Cache;
use crate::error::TableError;
use crate::foreign::xz::{MAGIC, Xz};
use crate::storage::{Source, Storage, read_up_to};

/// The most bytes of decompressed blocks in the cache.
const CACHE_BYTES: u64 = 64 << 20;
/// The number of bytes read at a time when the whole file is read.
const PIECE: u64 = 1 << 20;

/// A file with one byte per value.
pub struct ByteFile {
    path: PathBuf,
    length: u64,
    form: Form,
}

enum Form {
    Plain(Box<dyn Source>),
    Packed(Xz, Cache),
}

impl ByteFile {
    /// Opens a file of `length` bytes, which is compressed if its name ends in `.xz`. Returns
    /// `None` if there is no such file.
    ///
    /// # Errors
    /// If it cannot be read, has another length, or is compressed in a way that does not allow random access.
    pub fn open(storage: &dyn Storage, path: &Path, length: u64) -> Result<Option<ByteFile>, TableError> {
        let io = |error| TableError::io("read", path, error);
        let source = match storage.open(path) {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            source => source.map_err(io)?,
        };
        let form = if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xz")) {
            let xz = Xz::open(source, path, length)?;
            let slots = (CACHE_BYTES / xz.largest().max(1)).min(xz.blocks());
            Form::Packed(xz, Cache::bounded(slots))
        } else {
            let found = source.length().map_err(io)?;
            if found != length {
                let mut magic = [0; MAGIC.len()];
                read_up_to(&*source, &mut magic, 0).map_err(io)?;
                return Err(match magic == *MAGIC {
                    true => {
                        TableError::unusable(path, "it is an xz file, but its name does not end in `.xz`")
                    }
                    false => TableError::Truncated { file: path.to_owned(), found, expected: length },
                });
            }
            Form::Plain(source)
        };
        Ok(Some(ByteFile { path: path.to_owned(), length, form }))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of bytes after decompression.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The byte at `place`, which must be less than the length.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged there.
    pub fn at(&self, place: u64) -> Result<u8, TableError> {
        debug_assert!(place < self.length);
        match &self.form {
            Form::Plain(source) => {
                let mut byte = [0];
                self.fill(&**source, &mut byte, place)?;
                Ok(byte[0])
            }
            Form::Packed(xz, kept) => {
                let (block, at) = xz.place(place);
                if let Some(byte) = kept.with(block, |bytes| bytes[at]) {
                    return Ok(byte);
                }
                let bytes = xz.unpack(block)?;
                let byte = bytes[at];
                kept.insert(block, bytes);
                Ok(byte)
            }
        }
    }

    /// The number of pieces for [`ByteFile::piece`].
    pub fn pieces(&self) -> u64 {
        match &self.form {
            Form::Plain(_) => self.length.div_ceil(PIECE),
            Form::Packed(xz, _) => xz.blocks(),
        }
    }

    /// A piece of the file, at most a few mebibytes, with the place of its first byte.
    ///
    /// # Errors
    /// The same as [`ByteFile::at`].
    pub fn piece(&self, number: u64) -> Result<(u64, Box<[u8]>), TableError> {
        match &self.form {
            Form::Plain(source) => {
                let first = number * PIECE;
                let mut bytes = vec![0; PIECE.min(self.length - first) as usize];
                self.fill(&**source, &mut bytes, first)?;
                Ok((first, bytes.into()))
            }
            Form::Packed(xz, _) => Ok((xz.first(number), xz.unpack(number)?)),
        }
    }

    fn fill(&self, source: &dyn Source, buffer: &mut [u8], from: u64) -> Result<(), TableError> {
        let io = |error| TableError::io("read", &self.path, error);
        if read_up_to(source, buffer, from).map_err(io)? < buffer.len() {
            let found = source.length().map_err(io)?;
            return Err(TableError::Truncated { file: self.path.clone(), found, expected: self.length });
        }
        Ok(())
    }
}
