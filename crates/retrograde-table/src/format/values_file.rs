//! The format of a file of values, `values.rgt`, version 1. All numbers are little-endian.
//!
//! A table of 10¹¹ positions must open instantly and allow random probes, so nothing in the file is
//! read as a whole: a probe reads the page that describes its block, then the block. Everything is
//! covered by a CRC-32C that also depends on the file and on the place in it, so pieces of other
//! files or from other places are rejected too. Blocks are written as they come; facts known only
//! at the end are stored at the end. Time, machine and number of threads leave no trace: equal
//! values make equal files (with the same version of zstd).
//!
//! ```text
//! header, 64 bytes
//!    0  8  magic: 89 'R' 'G' 'T' 0D 0A 1A 0A (as in PNG, so that transfers as text are noticed)
//!    8  4  format version
//!   12  1  bits of a cell: 1, 2, 8, 16 (see `cells.rs`)
//!   13  1  kind: 0 full, 1 outcomes, 2 losses
//!   14  2  zero
//!   16  8  number of indices
//!   24  4  bytes of a block before compression, a power of two; the last block may be shorter
//!   28  4  rules version of the game
//!   32  4  version of its numbering
//!   36 24  the first bytes of the BLAKE3 hash of the game's canonical name
//!   60  4  CRC-32C of bytes 0 to 59, the *header checksum*
//! blocks, one after the other, stored in the shortest of three forms:
//!          as long as before compression: as it is;
//!          1 byte (where it is longer before): that byte, repeated;
//!          else: one zstd frame
//! pages, each of 2060 bytes for 256 blocks; the last one describes the rest
//!    0  8  where its first block begins in the file
//!    8  8  for each block: stored length (4 bytes), CRC-32C (4 bytes)
//!          of the header checksum (4 bytes), the block's number (8 bytes) and the stored bytes
//!  end  4  CRC-32C of the header checksum, the page's number and the page
//! footer, 40 bytes
//!    0  8  where the pages begin in the file
//!    8  8  number of blocks
//!   16  8  length of the file
//!   24  4  CRC-32C of all pages in their order
//!   28  4  *seal*: CRC-32C of the header and of bytes 0 to 27; the manifest knows it
//!   32  8  magic: 'R' 'G' 'T' 'E' 'N' 'D' 0D 0A
//! ```
//!
//! Next to it is `manifest.json` (see [`Manifest`]). Its presence makes the table complete, and its
//! last line is the BLAKE3 hash of the text before that line. A table that replaces one with other
//! values takes the name `values-2.rgt` (and the next one `values.rgt` again), so the old table
//! stays intact until a rename replaces its manifest. If the bytes are the same, the name stays
//! `values.rgt`: renaming it over the old file changes nothing or repairs it, and both manifests
//! match. `lock` is empty and is locked while a table is written; `*.tmp` is unfinished; `work.rgw`
//! is the checkpoint of an interrupted solve (format: `src/write/work.rs`).

use crate::format::manifest::{FORMAT_VERSION, Manifest};

pub(crate) const MAGIC: [u8; 8] = *b"\x89RGT\r\n\x1a\n";
pub(crate) const END_MAGIC: [u8; 8] = *b"RGTEND\r\n";
pub(crate) const HEADER_BYTES: u64 = 64;
pub(crate) const FOOTER_BYTES: u64 = 40;
/// The number of blocks that a page describes.
pub(crate) const PAGE_BLOCKS: u64 = 256;
/// The size of a full page in bytes.
pub(crate) const PAGE_BYTES: u64 = page_bytes(PAGE_BLOCKS);

const fn page_bytes(blocks: u64) -> u64 {
    8 + 8 * blocks + 4
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut number = [0; 4];
    number.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(number)
}

pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut number = [0; 8];
    number.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(number)
}

/// Creates the header for a table with this manifest.
pub(crate) fn header(manifest: &Manifest) -> [u8; HEADER_BYTES as usize] {
    let mut header = [0; HEADER_BYTES as usize];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
    header[12] = manifest.cell.bits() as u8;
    header[13] = manifest.kind as u8;
    header[16..24].copy_from_slice(&manifest.index_count.to_le_bytes());
    header[24..28].copy_from_slice(&manifest.block_bytes.to_le_bytes());
    header[28..32].copy_from_slice(&manifest.rules_version.to_le_bytes());
    header[32..36].copy_from_slice(&manifest.index_version.to_le_bytes());
    header[36..60].copy_from_slice(&blake3::hash(manifest.game.as_bytes()).as_bytes()[..24]);
    let checksum = crc32c::crc32c(&header[..60]);
    header[60..].copy_from_slice(&checksum.to_le_bytes());
    header
}

/// The format version in a header; `None` if it is not a table header.
pub(crate) fn header_version(header: &[u8]) -> Option<u32> {
    header.starts_with(&MAGIC).then(|| u32_at(header, 8))
}

/// The header checksum, which all other checksums include.
pub(crate) fn header_checksum(header: &[u8; HEADER_BYTES as usize]) -> u32 {
    u32_at(header, 60)
}

/// The checksum of a piece of a file with the number `number`.
pub(crate) fn checksum(header_checksum: u32, number: u64, piece: &[u8]) -> u32 {
    let mut place = [0; 12];
    place[..4].copy_from_slice(&header_checksum.to_le_bytes());
    place[4..].copy_from_slice(&number.to_le_bytes());
    crc32c::crc32c_append(crc32c::crc32c(&place), piece)
}

/// The description of a stored block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Described {
    pub length: u32,
    pub checksum: u32,
}

/// Creates a page.
pub(crate) fn page(header_checksum: u32, number: u64, first_offset: u64, blocks: &[Described]) -> Vec<u8> {
    let mut page = Vec::with_capacity(PAGE_BYTES as usize);
    page.extend_from_slice(&first_offset.to_le_bytes());
    for block in blocks {
        page.extend_from_slice(&block.length.to_le_bytes());
        page.extend_from_slice(&block.checksum.to_le_bytes());
    }
    let sum = checksum(header_checksum, number, &page);
    page.extend_from_slice(&sum.to_le_bytes());
    page
}

/// The offset of a page from the beginning of the pages, and its length, in a file with `block_count` blocks.
pub(crate) fn page_place(number: u64, block_count: u64) -> (u64, usize) {
    let blocks = (block_count - number * PAGE_BLOCKS).min(PAGE_BLOCKS);
    (number * PAGE_BYTES, page_bytes(blocks) as usize)
}

/// Whether a page is intact and is page `number`.
pub(crate) fn page_is_whole(header_checksum: u32, number: u64, page: &[u8]) -> bool {
    let (body, sum) = page.split_at(page.len() - 4);
    checksum(header_checksum, number, body) == u32_at(sum, 0)
}

/// The offset of the block `at` of an intact page, and how it is stored.
pub(crate) fn described(page: &[u8], at: usize) -> (u64, Described) {
    let before = page[8..8 + 8 * at].as_chunks::<8>().0;
    let skipped: u64 = before.iter().map(|entry| u64::from(u32_at(entry, 0))).sum();
    let block = Described { length: u32_at(page, 8 + 8 * at), checksum: u32_at(page, 12 + 8 * at) };
    (u64_at(page, 0).saturating_add(skipped), block)
}

/// The end of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Footer {
    pub pages_at: u64,
    pub block_count: u64,
    pub file_bytes: u64,
    pub pages_checksum: u32,
}

impl Footer {
    pub fn bytes(&self, header: &[u8; HEADER_BYTES as usize]) -> [u8; FOOTER_BYTES as usize] {
        let mut bytes = [0; FOOTER_BYTES as usize];
        bytes[..8].copy_from_slice(&self.pages_at.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.block_count.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.file_bytes.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.pages_checksum.to_le_bytes());
        let seal = crc32c::crc32c_append(crc32c::crc32c(header), &bytes[..28]);
        bytes[28..32].copy_from_slice(&seal.to_le_bytes());
        bytes[32..].copy_from_slice(&END_MAGIC);
        bytes
    }

    /// Reads a footer; `None` unless it matches the header, the length of the file and the number of blocks.
    pub fn read(
        bytes: &[u8; FOOTER_BYTES as usize],
        header: &[u8; HEADER_BYTES as usize],
        file_bytes: u64,
        block_count: u64,
    ) -> Option<Footer> {
        let footer = Footer {
            pages_at: u64_at(bytes, 0),
            block_count: u64_at(bytes, 8),
            file_bytes: u64_at(bytes, 16),
            pages_checksum: u32_at(bytes, 24),
        };
        let fits = footer.file_bytes == file_bytes
            && footer.block_count == block_count
            && file_bytes.checked_sub(FOOTER_BYTES + pages_bytes(block_count)) == Some(footer.pages_at)
            && footer.pages_at >= HEADER_BYTES;
        (fits && footer.bytes(header) == *bytes).then_some(footer)
    }

    /// The seal in a footer, formatted as in the manifest.
    pub fn seal(bytes: &[u8; FOOTER_BYTES as usize]) -> String {
        format!("{:08x}", u32_at(bytes, 28))
    }
}

/// The number of bytes of all pages for `block_count` blocks.
pub(crate) fn pages_bytes(block_count: u64) -> u64 {
    block_count / PAGE_BLOCKS * PAGE_BYTES
        + if block_count.is_multiple_of(PAGE_BLOCKS) { 0 } else { page_bytes(block_count % PAGE_BLOCKS) }
}
