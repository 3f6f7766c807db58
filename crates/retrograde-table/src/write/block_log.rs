//! The container of work files (except for the logs of phases): a label that says what the file is and what
//! it belongs to, and blocks of bytes with checksums. Reading a file that was altered, cut off or added to fails.
//! All numbers are little-endian:
//!
//! ```text
//!   8  magic: 89 'R' 'G' 'W' 0D 0A 1A 0A
//!   4  format version
//!   4  length n of the label
//!   n  label, as text
//!   4  CRC-32C of all that, the header checksum
//! blocks:
//!   4  length n of the stored bytes, at least 1; the highest bit is set if they are compressed with zstd
//!   n  stored bytes
//!   4  CRC-32C of the stored bytes, begun with the header checksum, the block's number and that bit
//! end:
//!   4  0
//!   4  CRC-32C of nothing, begun likewise
//! ```

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::compression::{compress, decompress};
use crate::error::{FilePart, TableError, VersionKind};
use crate::format::values_file::{checksum, u32_at};
use crate::storage::{Source, Storage, read_up_to};

const MAGIC: [u8; 8] = *b"\x89RGW\r\n\x1a\n";
const VERSION: u32 = 2;
/// The number of bytes before the label.
const FIXED: usize = 16;
/// Longer labels are rejected.
const MAX_LABEL: u32 = 1 << 16;
/// The number of bytes that [`Write`] collects into a block.
const BLOCK: usize = 1 << 18;
/// Longer blocks are rejected.
const MAX_BLOCK: usize = 1 << 24;
/// The bit of a length that says whether a block is compressed.
const COMPRESSED: u32 = 1 << 31;
/// The quickest level. Most scores of a game are alike, so it compresses them as well as others.
const LEVEL: i32 = 1;

/// Writes a block log. Blocks are written one by one, or [`Write`] collects bytes into blocks.
pub struct BlockLogWriter<'a> {
    out: &'a mut dyn Write,
    header_checksum: u32,
    /// The number of the next block.
    number: u64,
    /// The number of bytes written so far.
    written: u64,
    /// The bytes of the next block, as far as they are known.
    pending: Vec<u8>,
    compressed: bool,
}

impl<'a> BlockLogWriter<'a> {
    /// Writes the header. With `compressed`, blocks that [`Write`] collects are compressed.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn begin(out: &'a mut dyn Write, label: &str, compressed: bool) -> io::Result<BlockLogWriter<'a>> {
        let length = (label.len() as u32).to_le_bytes();
        let header = [&MAGIC[..], &VERSION.to_le_bytes(), &length, label.as_bytes()].concat();
        let header_checksum = crc32c::crc32c(&header);
        out.write_all(&header)?;
        out.write_all(&header_checksum.to_le_bytes())?;
        let written = header.len() as u64 + 4;
        let pending = Vec::with_capacity(BLOCK);
        Ok(BlockLogWriter { out, header_checksum, number: 0, written, pending, compressed })
    }

    /// Writes bytes as one block, uncompressed.
    ///
    /// # Errors
    /// The errors of `out`.
    ///
    /// # Panics
    /// If there are no bytes, or more than 16 MiB.
    pub fn block(&mut self, bytes: &[u8]) -> io::Result<()> {
        assert!((1..=MAX_BLOCK).contains(&bytes.len()), "a block of {} bytes", bytes.len());
        self.put(bytes, false)
    }

    fn put(&mut self, stored: &[u8], compressed: bool) -> io::Result<()> {
        let bit = if compressed { COMPRESSED } else { 0 };
        self.out.write_all(&(stored.len() as u32 | bit).to_le_bytes())?;
        self.out.write_all(stored)?;
        let sum = checksum(self.header_checksum, place(self.number, compressed), stored);
        self.out.write_all(&sum.to_le_bytes())?;
        self.number += 1;
        self.written += stored.len() as u64 + 8;
        Ok(())
    }

    /// Writes the collected bytes, if there are any.
    fn put_pending(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let mut pending = std::mem::take(&mut self.pending);
        match self.compressed {
            true => self.put(&compress(&pending, LEVEL)?, true)?,
            false => self.put(&pending, false)?,
        }
        pending.clear();
        self.pending = pending;
        Ok(())
    }

    /// Writes the end. Returns the length of the file.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn end(mut self) -> io::Result<u64> {
        self.put_pending()?;
        self.put(&[], false)?;
        Ok(self.written)
    }
}

impl Write for BlockLogWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(BLOCK - self.pending.len());
        self.pending.extend_from_slice(&bytes[..taken]);
        if self.pending.len() == BLOCK {
            self.put_pending()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The place of a block, which its checksum covers.
fn place(number: u64, compressed: bool) -> u64 {
    number << 1 | u64::from(compressed)
}

/// Reads a block log and checks it, block by block or with [`Read`].
pub struct BlockLogReader {
    source: Box<dyn Source>,
    path: PathBuf,
    /// The length of the file.
    length: u64,
    header_checksum: u32,
    /// The offset of the next block.
    offset: u64,
    /// The number of the next block.
    number: u64,
    ended: bool,
    /// The block that [`Read`] reads from, and how much of it was read.
    content: Vec<u8>,
    at: usize,
}

impl BlockLogReader {
    /// Opens a file with this label and checks its header.
    ///
    /// # Errors
    /// An I/O error; [`TableError::WrongGame`] if the label differs; or the file is damaged, of another
    /// version, or of another kind.
    pub fn open(storage: &dyn Storage, path: &Path, label: &str) -> Result<BlockLogReader, TableError> {
        let io = |error| TableError::io("read", path, error);
        let source = storage.open(path).map_err(io)?;
        let length = source.length().map_err(io)?;
        let mut fixed = [0; FIXED];
        let read = read_up_to(&*source, &mut fixed, 0).map_err(io)?;
        if read >= MAGIC.len() && !fixed.starts_with(&MAGIC) {
            return Err(TableError::foreign(path, "it does not begin like a work file"));
        }
        let truncated = |expected| TableError::Truncated { file: path.to_owned(), found: length, expected };
        if read < FIXED {
            return Err(truncated(FIXED as u64));
        }
        let (version, label_bytes) = (u32_at(&fixed, 8), u32_at(&fixed, 12));
        if version != VERSION {
            return Err(TableError::WrongVersion {
                file: path.to_owned(),
                what: VersionKind::Format,
                found: version.into(),
                expected: VERSION.into(),
            });
        }
        if label_bytes > MAX_LABEL {
            return Err(TableError::damaged(path, FilePart::Header, "its label is too long"));
        }
        let mut rest = vec![0; label_bytes as usize + 4];
        let offset = (FIXED + rest.len()) as u64;
        if read_up_to(&*source, &mut rest, FIXED as u64).map_err(io)? < rest.len() {
            return Err(truncated(offset));
        }
        let (found, sum) = rest.split_at(label_bytes as usize);
        let header_checksum = crc32c::crc32c_append(crc32c::crc32c(&fixed), found);
        if sum != header_checksum.to_le_bytes() {
            return Err(TableError::damaged(path, FilePart::Header, "its checksum is wrong"));
        }
        if found != label.as_bytes() {
            return Err(TableError::WrongGame {
                file: path.to_owned(),
                found: String::from_utf8_lossy(found).into_owned(),
                expected: label.to_owned(),
            });
        }
        Ok(BlockLogReader {
            source,
            path: path.to_owned(),
            length,
            header_checksum,
            offset,
            number: 0,
            ended: false,
            content: Vec::new(),
            at: 0,
        })
    }

    /// Reads the next block; `None` at the end.
    ///
    /// # Errors
    /// An I/O error, or the file is damaged.
    pub fn next_block(&mut self) -> Result<Option<Vec<u8>>, TableError> {
        if self.ended {
            return Ok(None);
        }
        let length = u32_at(&self.exactly(4)?, 0);
        let (compressed, length) = (length & COMPRESSED != 0, (length & !COMPRESSED) as usize);
        if length > MAX_BLOCK {
            return Err(self.damaged("it is too long"));
        }
        let stored = self.exactly(length)?;
        let sum = checksum(self.header_checksum, place(self.number, compressed), &stored);
        if self.exactly(4)? != sum.to_le_bytes() {
            return Err(self.damaged("its checksum is wrong"));
        }
        if length == 0 {
            self.ended = true;
            return match self.offset == self.length {
                true => Ok(None),
                false => Err(self.damaged("bytes follow the end")),
            };
        }
        let block = match compressed {
            true => decompress(&stored, BLOCK).map_err(|error| self.damaged(error.to_string()))?,
            false => stored,
        };
        self.number += 1;
        Ok(Some(block))
    }

    /// Reads bytes that must be there. The file is long enough before memory is allocated.
    fn exactly(&mut self, length: usize) -> Result<Vec<u8>, TableError> {
        if self.length - self.offset.min(self.length) < length as u64 {
            return Err(self.damaged("the file ends within it"));
        }
        let mut bytes = vec![0; length];
        let read = read_up_to(&*self.source, &mut bytes, self.offset);
        if read.map_err(|error| TableError::io("read", &self.path, error))? < length {
            return Err(self.damaged("the file ends within it"));
        }
        self.offset += length as u64;
        Ok(bytes)
    }

    fn damaged(&self, reason: impl Into<String>) -> TableError {
        TableError::damaged(&self.path, FilePart::Block(self.number), reason)
    }
}

/// Adds a remedy to the error of a file that a solve cannot do without.
pub(crate) fn with_restart_hint(error: TableError) -> io::Error {
    match &error {
        TableError::Io { .. } | TableError::Permission { .. } => error.into(),
        _ => io::Error::new(io::ErrorKind::InvalidData, format!("{error}; `solve --again` starts over")),
    }
}

impl Read for BlockLogReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.content.len() {
            self.content = self.next_block().map_err(with_restart_hint)?.unwrap_or_default();
            self.at = 0;
        }
        let read = buffer.len().min(self.content.len() - self.at);
        buffer[..read].copy_from_slice(&self.content[self.at..self.at + read]);
        self.at += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::{DiskStorage, replace_file};

    fn written(path: &Path, content: &[u8], compressed: bool) -> Vec<u8> {
        replace_file(&DiskStorage, path, |out| {
            let mut log = BlockLogWriter::begin(out, "a label", compressed)?;
            content.chunks(99_999).try_for_each(|part| log.write_all(part))?;
            log.end().map(drop)
        })
        .unwrap();
        std::fs::read(path).unwrap()
    }

    fn read(path: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        BlockLogReader::open(&DiskStorage, path, "a label")?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    #[test]
    fn bytes_are_read_back() {
        let folder = retrograde_testkit::tempdir().unwrap();
        let path = folder.path().join("file");
        for length in [0, 1, 100, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7] {
            let content: Vec<u8> = (0..length).map(|at| (at % 7 * (at / 1000)) as u8).collect();
            for compressed in [false, true] {
                let stored = written(&path, &content, compressed);
                assert!(read(&path).unwrap() == content, "{length}, {compressed}");
                assert!(!compressed || length < BLOCK || stored.len() < length / 2);
            }
        }
        replace_file(&DiskStorage, &path, |out| {
            let mut log = BlockLogWriter::begin(out, "a label", false)?;
            [&b"one"[..], b"two"].into_iter().try_for_each(|block| log.block(block))?;
            log.end().map(drop)
        })
        .unwrap();
        let mut log = BlockLogReader::open(&DiskStorage, &path, "a label").unwrap();
        for block in [Some(&b"one"[..]), Some(b"two"), None, None] {
            assert_eq!(log.next_block().unwrap().as_deref(), block);
        }
    }

    #[test]
    fn every_altered_byte_and_every_cut_is_an_error() {
        let folder = retrograde_testkit::tempdir().unwrap();
        let path = folder.path().join("file");
        for (content, compressed) in [(&b"a few bytes"[..], false), (&[7; 300], true), (b"", false)] {
            let right = written(&path, content, compressed);
            let refused = |bytes: &[u8], what: &str| {
                std::fs::write(&path, bytes).unwrap();
                let error = read(&path).expect_err(what).to_string();
                assert!(error.contains("file"), "{what}: {error}");
            };
            for at in 0..right.len() {
                for bit in 0..8 {
                    let mut wrong = right.clone();
                    wrong[at] ^= 1 << bit;
                    refused(&wrong, &format!("byte {at}, bit {bit}"));
                }
                refused(&right[..at], &format!("cut at {at}"));
            }
            refused(&[&right[..], b"x"].concat(), "a further byte");
        }
        let other = BlockLogReader::open(&DiskStorage, &path, "another").map(drop);
        assert!(other.is_err());
    }
}
