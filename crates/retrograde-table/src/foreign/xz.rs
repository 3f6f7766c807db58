//! Random access to xz files with many small blocks. The index at the end of the file gives the
//! offset and the decompressed size of each block, so reading a byte decompresses only one block.
//! The format is "The .xz File Format" 1.2.1 (tukaani.org/xz/xz-file-format.txt): this module
//! parses the index and the frame, a library decompresses.
//!
//! No file, damaged or hostile, makes this code use more memory than the index and a block of
//! [`MAX_BLOCK`] bytes need. Returned bytes have passed every check in the file: header, index and
//! footer are checked on opening, each block when it is decompressed.

use std::io::Read;
use std::path::{Path, PathBuf};

use lzma_rust2::XzReader;
use retrograde_solve::{put_varint, take_varint};

use crate::error::{FilePart, TableError};
use crate::format::values_file::u32_at;
use crate::storage::{Source, read_up_to};

/// The first bytes of an xz file.
pub(crate) const MAGIC: &[u8; 6] = b"\xfd7zXZ\0";
/// The last bytes of an xz file.
const LAST: &[u8; 2] = b"YZ";
/// The number of bytes of the header, and of the footer.
const FRAME: usize = 12;
/// The most decompressed bytes of a block. Decompressing more for one value would be too slow.
pub(crate) const MAX_BLOCK: u64 = 4 << 20;
/// The most compressed bytes of a block. Incompressible data grows a little, so no real block comes close.
const MAX_PACKED: u64 = 2 * MAX_BLOCK;
/// The least decompressed bytes of a block, on average. With smaller blocks, most of the file and
/// of the memory for it would be the index.
const MIN_BLOCK: u64 = 1 << 8;
/// The most bytes of a block's record in the index: two numbers of 63 bits.
const MAX_RECORD: u64 = 18;
/// The memory limit of the decoder in KiB. A dictionary may be declared larger than the block: `xz
/// -9` declares 64 MiB.
const MAX_MEMORY: u32 = 96 << 10;

/// The place of a block.
#[derive(Clone, Copy)]
struct Record {
    /// Its offset in the file.
    at: u64,
    /// The number of its first decompressed byte.
    first: u64,
    /// Its compressed size without padding.
    unpadded: u32,
}

/// An xz file with blocks that can be decompressed separately.
pub(crate) struct Xz {
    path: PathBuf,
    source: Box<dyn Source>,
    header: [u8; FRAME],
    /// The blocks, and an end marker.
    records: Vec<Record>,
    largest: u64,
}

impl Xz {
    /// Reads the index of a file that must decompress to `expected` bytes.
    ///
    /// # Errors
    /// If the file cannot be read, is not an xz file with one stream, is damaged, has blocks too
    /// large for random access, or decompresses to another size.
    pub fn open(source: Box<dyn Source>, path: &Path, expected: u64) -> Result<Xz, TableError> {
        let foreign = |reason: String| TableError::unusable(path, reason);
        let damaged = |place, reason: &str| TableError::damaged(path, place, reason);
        let io = |error| TableError::io("read", path, error);
        let length = source.length().map_err(io)?;
        let mut header = [0; FRAME];
        let read = read_up_to(&*source, &mut header, 0).map_err(io)?;
        if !header.starts_with(MAGIC) {
            return Err(foreign("its name ends in `.xz`, but it is not an xz file".to_owned()));
        }
        if read < FRAME || length < 2 * FRAME as u64 + 8 {
            return Err(damaged(FilePart::Whole, "it is truncated"));
        }
        if u32_at(&header, 8) != crc32fast::hash(&header[6..8]) {
            return Err(damaged(FilePart::Header, "its checksum is wrong"));
        }
        let mut footer = [0; FRAME];
        let read = read_up_to(&*source, &mut footer, length - FRAME as u64).map_err(io)?;
        if read < FRAME || !length.is_multiple_of(4) || !footer.ends_with(LAST) {
            return Err(damaged(
                FilePart::Footer,
                "it does not end like an xz file: it was truncated or extended",
            ));
        }
        if u32_at(&footer, 0) != crc32fast::hash(&footer[4..10]) {
            return Err(damaged(FilePart::Footer, "its checksum is wrong"));
        }
        if footer[8..10] != header[6..8] {
            return Err(foreign(several()));
        }
        let index_length = (u64::from(u32_at(&footer, 4)) + 1) * 4;
        let Some(index_at) = (length - FRAME as u64).checked_sub(index_length) else {
            return Err(damaged(FilePart::Footer, "the index would begin before the file does"));
        };
        if index_at < FRAME as u64 {
            return Err(damaged(FilePart::Footer, "the index would begin inside the header"));
        }
        let most_blocks = expected / MIN_BLOCK + 1;
        let most = most_blocks.saturating_mul(MAX_RECORD).saturating_add(32);
        if index_length > most {
            return Err(foreign(format!(
                "its index has {index_length} bytes, but at most {most} are allowed"
            )));
        }
        let mut index = vec![0; index_length as usize];
        if read_up_to(&*source, &mut index, index_at).map_err(io)? < index.len() {
            return Err(damaged(FilePart::Whole, "it became shorter while it was read"));
        }
        let (records, largest) = records(&index, most_blocks, path)?;
        let end = records.last().map_or(Record { at: 0, first: 0, unpadded: 0 }, |end| *end);
        if end.at < index_at {
            return Err(foreign(several()));
        }
        if end.at > index_at {
            return Err(damaged(FilePart::Page(0), "its blocks are longer than the file"));
        }
        if end.first != expected {
            let found = end.first;
            return Err(foreign(format!("it decompresses to {found} bytes instead of {expected}")));
        }
        if largest > MAX_BLOCK {
            return Err(foreign(format!(
                "it has {} of up to {largest} bytes, all of which would have to be decompressed to read one \
                 unpacked; unpack the file (`xz --decompress --keep`), or pack it again in small blocks (`xz \
                 --block-size=64KiB`)",
                if records.len() == 2 { "a single block".to_owned() } else { "blocks".to_owned() }
            )));
        }
        Ok(Xz { path: path.to_owned(), source, header, records, largest })
    }

    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        self.records.len() as u64 - 1
    }

    /// The decompressed size of the largest block.
    pub fn largest(&self) -> u64 {
        self.largest
    }

    /// The block that contains a byte, and the offset within it. `byte` must be less than the expected size.
    pub fn place(&self, byte: u64) -> (u64, usize) {
        let block = self.records.partition_point(|record| record.first <= byte).max(1) - 1;
        (block as u64, byte.saturating_sub(self.records[block].first) as usize)
    }

    /// The number of the first decompressed byte of a block.
    pub fn first(&self, number: u64) -> u64 {
        self.records[number as usize].first
    }

    /// Decompresses a block.
    ///
    /// # Errors
    /// If the file cannot be read, or the block is damaged.
    pub fn unpack(&self, number: u64) -> Result<Box<[u8]>, TableError> {
        let damaged = |reason: String| TableError::damaged(&self.path, FilePart::Block(number), reason);
        let at = number as usize;
        let (record, next) = (self.records[at], self.records[at + 1]);
        let (packed, size) = ((next.at - record.at) as usize, next.first - record.first);
        // Presents the block as a separate file, so that the library checks the index and the checksums.
        let mut index = vec![0, 1];
        put_varint(&mut index, record.unpadded.into());
        put_varint(&mut index, size);
        index.resize(index.len().next_multiple_of(4), 0);
        index.extend(crc32fast::hash(&index).to_le_bytes());
        let mut footer = (index.len() as u32 / 4 - 1).to_le_bytes().to_vec();
        footer.extend(&self.header[6..8]);
        let mut file = Vec::with_capacity(packed + index.len() + 2 * FRAME);
        file.extend(self.header);
        file.resize(FRAME + packed, 0);
        let read = read_up_to(&*self.source, &mut file[FRAME..], record.at)
            .map_err(|error| TableError::io("read", &self.path, error))?;
        if read < packed {
            return Err(damaged("the file became shorter while it was read".to_owned()));
        }
        file.extend(index);
        file.extend(crc32fast::hash(&footer).to_le_bytes());
        file.extend(footer);
        file.extend(LAST);
        let mut bytes = Vec::with_capacity(size as usize);
        let reader = XzReader::new_mem_limit(&file[..], false, MAX_MEMORY);
        // Reads one byte more than expected, so that excess is noticed and the checksums are read.
        reader.take(size + 1).read_to_end(&mut bytes).map_err(|error| damaged(error.to_string()))?;
        if bytes.len() as u64 != size {
            return Err(damaged("its length differs from the index".to_owned()));
        }
        Ok(bytes.into())
    }
}

/// The reason why files of several streams are rejected.
fn several() -> String {
    "it consists of several xz streams, but only a single stream allows random access; unpack the file \
     (`xz --decompress --keep`)"
        .to_owned()
}

/// The blocks of an index with an end marker, and the decompressed size of the largest block.
fn records(index: &[u8], most_blocks: u64, path: &Path) -> Result<(Vec<Record>, u64), TableError> {
    let damaged = |reason: &str| TableError::damaged(path, FilePart::Page(0), reason);
    let wrong = || damaged("its numbers are invalid");
    let (body, sum) = index.split_at_checked(index.len() - 4).ok_or_else(wrong)?;
    if u32_at(sum, 0) != crc32fast::hash(body) {
        return Err(damaged("its checksum is wrong"));
    }
    let (&0, mut rest) = body.split_first().ok_or_else(wrong)? else { return Err(wrong()) };
    let count = read_number(&mut rest).ok_or_else(wrong)?;
    // A record has at least two bytes.
    if count > (rest.len() as u64 / 2).min(most_blocks) {
        return Err(wrong());
    }
    let mut records = Vec::with_capacity(count as usize + 1);
    let (mut at, mut first, mut largest) = (FRAME as u64, 0_u64, 0);
    for _ in 0..count {
        let unpadded = read_number(&mut rest).ok_or_else(wrong)?;
        let size = read_number(&mut rest).filter(|&size| size > 0).ok_or_else(wrong)?;
        largest = size.max(largest);
        // A block that is too large is reported only after the whole index has been checked.
        let short = u32::try_from(unpadded).ok().filter(|_| unpadded <= MAX_PACKED || size > MAX_BLOCK);
        if short.is_none() && size <= MAX_BLOCK {
            return Err(wrong());
        }
        records.push(Record { at, first, unpadded: short.unwrap_or(u32::MAX) });
        let padded = unpadded.checked_next_multiple_of(4).ok_or_else(wrong)?;
        at = at.checked_add(padded).ok_or_else(wrong)?;
        first = first.checked_add(size).ok_or_else(wrong)?;
    }
    if rest.len() > 3 || rest.iter().any(|&padding| padding != 0) {
        return Err(wrong());
    }
    records.push(Record { at, first, unpadded: 0 });
    Ok((records, largest))
}

/// Reads a number of 63 bits, seven bits per byte, lowest first.
fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let before = *bytes;
    let number = take_varint(bytes).filter(|number| number >> 63 == 0)?;
    // The last byte of several must not be 0, so each number has only one encoding.
    let length = before.len() - bytes.len();
    (length == 1 || before[length - 1] != 0).then_some(number)
}
