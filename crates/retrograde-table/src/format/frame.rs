//! The frame of a file with a description at the beginning and a directory of its blocks at the
//! end, for values that do not fit a table of all indices. The users of the frame document the
//! contents. All numbers are little-endian.
//!
//! ```text
//! head       8  magic: 89 'R' 'G' letter 0D 0A 1A 0A
//!            4  format version
//!            4  length of the description
//!               the description
//!            4  CRC-32C of all before
//! blocks
//! directory
//! foot       8  where the directory begins
//!            8  number of blocks
//!            4  CRC-32C of the directory
//!            4  CRC-32C of the head's checksum and of the foot so far
//!            8  magic: 'R' 'G' letter 'E' 'N' 'D' 0D 0A
//! ```

use std::io;
use std::path::Path;

use crate::error::{FilePart, TableError, VersionKind};
use crate::format::values_file::{u32_at, u64_at};
use crate::storage::{Source, read_up_to};

const FOOT: u64 = 32;
/// The longest description.
const MAX_DESCRIPTION: usize = 1 << 20;
/// The number of bytes of a directory that are read at a time.
const READ: usize = 1 << 18;

/// The kind of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameFormat {
    /// The letter in its magic numbers.
    pub letter: u8,
    /// The version of its format.
    pub version: u32,
}

/// A file whose head has been read and checked.
pub struct FrameReader<'a> {
    frame: FrameFormat,
    path: &'a Path,
    source: &'a dyn Source,
    head_sum: u32,
    /// The description.
    pub description: Vec<u8>,
}

/// The directory of a file, read and checked.
pub struct FrameDirectory {
    /// Its offset, at which the blocks end.
    pub at: u64,
    /// The number of blocks.
    pub blocks: u64,
    /// Its content.
    pub bytes: Vec<u8>,
    /// The checksum of the foot, which covers the checksums of the head and the directory.
    pub checksum: u32,
}

impl FrameFormat {
    fn magic(self) -> [u8; 8] {
        [0x89, b'R', b'G', self.letter, b'\r', b'\n', 0x1a, b'\n']
    }

    fn end_magic(self) -> [u8; 8] {
        [b'R', b'G', self.letter, b'E', b'N', b'D', b'\r', b'\n']
    }

    /// Creates the head of a file.
    ///
    /// # Errors
    /// If the description is too long.
    pub fn head(self, description: &[u8]) -> io::Result<Vec<u8>> {
        if description.len() > MAX_DESCRIPTION {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the description is too long"));
        }
        let mut head = self.magic().to_vec();
        head.extend(self.version.to_le_bytes());
        head.extend((description.len() as u32).to_le_bytes());
        head.extend(description);
        head.extend(crc32c::crc32c(&head).to_le_bytes());
        Ok(head)
    }

    /// Creates the foot of a file with this head and `blocks` blocks, whose directory begins at `at`.
    pub fn foot(self, head: &[u8], at: u64, blocks: u64, directory: &[u8]) -> Vec<u8> {
        let head_sum = u32_at(head, head.len() - 4);
        self.foot_of(head_sum, at, blocks, crc32c::crc32c(directory))
    }

    fn foot_of(self, head_sum: u32, at: u64, blocks: u64, directory_sum: u32) -> Vec<u8> {
        let mut foot = at.to_le_bytes().to_vec();
        foot.extend(blocks.to_le_bytes());
        foot.extend(directory_sum.to_le_bytes());
        let sum = crc32c::crc32c_append(crc32c::crc32c(&head_sum.to_le_bytes()), &foot);
        foot.extend(sum.to_le_bytes());
        foot.extend(self.end_magic());
        foot
    }

    /// Reads the head of a file. `what` describes the expected kind of file for error messages.
    ///
    /// # Errors
    /// If it is another kind of file, has another version, or is damaged.
    pub fn open<'a>(
        self,
        what: &str,
        path: &'a Path,
        source: &'a dyn Source,
    ) -> Result<FrameReader<'a>, TableError> {
        let start = read(path, source, 0, 16)?;
        if start[..8] != self.magic() {
            return Err(TableError::foreign(path, format!("it does not begin like {what}")));
        }
        let version = u32_at(&start, 8);
        if version != self.version {
            return Err(TableError::WrongVersion {
                file: path.to_owned(),
                what: VersionKind::Format,
                found: version.into(),
                expected: self.version.into(),
            });
        }
        let damaged = |reason: &str| TableError::damaged(path, FilePart::Header, reason);
        let length = u32_at(&start, 12) as usize;
        if length > MAX_DESCRIPTION {
            return Err(damaged("its description is too long"));
        }
        let mut head = read(path, source, 0, 16 + length + 4)?;
        let head_sum = u32_at(&head, 16 + length);
        head.truncate(16 + length);
        if crc32c::crc32c(&head) != head_sum {
            return Err(damaged("its checksum is wrong"));
        }
        Ok(FrameReader { frame: self, path, source, head_sum, description: head.split_off(16) })
    }
}

impl FrameReader<'_> {
    /// The end of the head, at which the first block begins.
    pub fn end_of_head(&self) -> u64 {
        16 + self.description.len() as u64 + 4
    }

    /// Reads the foot and the directory. `bytes` returns the length of the directory for a number
    /// of blocks, or `None` if the file cannot have that many. `accept` is called with each `entry`
    /// bytes of the directory and returns whether they can be right. A file may claim a directory
    /// of any length that is mostly a hole, so memory is only allocated as entries are accepted.
    ///
    /// # Errors
    /// If foot or directory are damaged or cannot be read.
    pub fn directory(
        &self,
        bytes: impl FnOnce(u64) -> Option<u64>,
        (entry, mut accept): (usize, impl FnMut(&[u8]) -> bool),
    ) -> Result<FrameDirectory, TableError> {
        let FrameReader { frame, path, source, head_sum, .. } = *self;
        let damaged = |place, reason: &str| TableError::damaged(path, place, reason);
        let length = source.length().map_err(|error| TableError::io("read", path, error))?;
        let foot_at = length
            .checked_sub(FOOT)
            .ok_or_else(|| damaged(FilePart::Footer, "the file is too short to have one"))?;
        let foot = read(path, source, foot_at, FOOT as usize)?;
        let (at, blocks, directory_sum) = (u64_at(&foot, 0), u64_at(&foot, 8), u32_at(&foot, 16));
        if foot != frame.foot_of(head_sum, at, blocks, directory_sum) {
            return Err(damaged(FilePart::Footer, "its checksum is wrong; the file may be truncated"));
        }
        let there = foot_at.checked_sub(at);
        let Some(length) = bytes(blocks).filter(|&bytes| there == Some(bytes)) else {
            return Err(damaged(FilePart::Footer, "it belongs to another file"));
        };
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < length {
            let left = length - bytes.len() as u64;
            let piece = (READ / entry * entry).min(usize::try_from(left).unwrap_or(READ));
            let piece = read(path, source, at + bytes.len() as u64, piece)?;
            if !piece.chunks(entry).all(&mut accept) {
                return Err(damaged(FilePart::Page(0), "it has an entry that no block can have"));
            }
            bytes.extend(piece);
        }
        if crc32c::crc32c(&bytes) != directory_sum {
            return Err(damaged(FilePart::Page(0), "its checksum is wrong"));
        }
        Ok(FrameDirectory { at, blocks, bytes, checksum: crc32c::crc32c(&foot) })
    }
}

fn read(path: &Path, source: &dyn Source, at: u64, length: usize) -> Result<Vec<u8>, TableError> {
    let mut bytes = vec![0; length];
    let found = read_up_to(source, &mut bytes, at).map_err(|error| TableError::io("read", path, error))?;
    if found < length {
        return Err(TableError::damaged(path, FilePart::Whole, "it was truncated"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: FrameFormat = FrameFormat { letter: b'Q', version: 3 };

    /// Three blocks of one byte, and a directory with one byte for each.
    fn file() -> Vec<u8> {
        let head = FRAME.head(b"described").unwrap();
        let mut file = head.clone();
        file.extend(b"abc");
        file.extend(b"ABC");
        file.extend(FRAME.foot(&head, head.len() as u64 + 3, 3, b"ABC"));
        file
    }

    struct Bytes(Vec<u8>);

    impl Source for Bytes {
        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
            let rest = self.0.get(offset as usize..).unwrap_or(&[]);
            // Short reads are allowed.
            let count = rest.len().min(buffer.len()).min(7);
            buffer[..count].copy_from_slice(&rest[..count]);
            Ok(count)
        }
        fn length(&self) -> io::Result<u64> {
            Ok(self.0.len() as u64)
        }
    }

    fn opened(frame: FrameFormat, bytes: Vec<u8>) -> Result<(Vec<u8>, FrameDirectory), TableError> {
        let source = Bytes(bytes);
        let framed = frame.open("a test", Path::new("test.bin"), &source)?;
        let directory = framed.directory(|blocks| (blocks < 1000).then_some(blocks), (1, |_: &[u8]| true))?;
        Ok((framed.description, directory))
    }

    #[test]
    fn written_files_are_read_back() {
        let (description, directory) = opened(FRAME, file()).unwrap();
        assert_eq!(description, b"described");
        assert_eq!((directory.at, directory.blocks, &directory.bytes[..]), (32, 3, &b"ABC"[..]));
        assert!(FRAME.head(&vec![0; MAX_DESCRIPTION + 1]).is_err());
    }

    #[test]
    fn other_kinds_other_versions_and_damage_have_different_errors() {
        let fails = |frame, bytes| match opened(frame, bytes) {
            Ok(_) => "nothing".to_owned(),
            Err(error) => error.to_string(),
        };
        let other = FrameFormat { letter: b'R', ..FRAME };
        assert!(fails(other, file()).contains("it does not begin like a test"));
        assert!(fails(FrameFormat { version: 4, ..FRAME }, file()).contains("file format version 3"));
        let right = file();
        for length in 0..right.len() {
            assert!(fails(FRAME, right[..length].to_vec()).contains("test.bin"), "{length}");
        }
        // The blocks have separate checksums.
        let blocks = 29..32;
        for at in (0..right.len()).filter(|at| !blocks.contains(at)) {
            for bit in 0..8 {
                let mut bytes = right.clone();
                bytes[at] ^= 1 << bit;
                assert!(fails(FRAME, bytes).contains("test.bin"), "{at} {bit}");
            }
        }
        // A file with the end of another file.
        let mut mixed = right[..right.len() - 32].to_vec();
        mixed.extend(FRAME.foot(&FRAME.head(b"another").unwrap(), 32, 3, b"ABC"));
        assert!(fails(FRAME, mixed).contains("footer"));
    }
}
