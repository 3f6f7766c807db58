//! Reads a file of values. Opening it checks header and footer against the manifest, and every
//! block is checked when it is read. Reads of different blocks do not wait for each other.

use std::cell::RefCell;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::error::{FilePart, TableError, VersionKind};
use crate::format::codec::unpack;
use crate::format::manifest::{FORMAT_VERSION, Manifest};
use crate::format::values_file::{self, Described, FOOTER_BYTES, Footer, HEADER_BYTES, PAGE_BLOCKS};
use crate::storage::{Source, Storage, read_up_to};

thread_local! {
    /// The page and the stored bytes of the block read last, whose memory the next read reuses.
    static BUFFERS: RefCell<(Vec<u8>, Vec<u8>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// An open file of values.
pub(crate) struct ValuesReader {
    pub path: PathBuf,
    pub source: Box<dyn Source>,
    header_checksum: u32,
    pub footer: Footer,
    block_bytes: usize,
    last_block_bytes: usize,
}

impl ValuesReader {
    /// Opens the file of values that the manifest in a directory names.
    pub fn open(
        storage: &dyn Storage,
        directory: &Path,
        manifest: &Manifest,
    ) -> Result<ValuesReader, TableError> {
        let path = directory.join(&manifest.values.file);
        let io = |error| TableError::io("read", &path, error);
        let source = storage.open(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                let reason = format!("its file {} is missing", manifest.values.file);
                TableError::damaged(directory, FilePart::Whole, reason)
            }
            _ => io(error),
        })?;
        let found = source.length().map_err(io)?;
        let mut header = [0; HEADER_BYTES as usize];
        let read = read_up_to(&*source, &mut header, 0).map_err(io)?;
        let version = if read >= 12 { values_file::header_version(&header) } else { None };
        let truncated = TableError::Truncated { file: path.clone(), found, expected: manifest.values.bytes };
        match version {
            None if read >= 12 => return Err(TableError::foreign(&path, "it does not begin like a table")),
            None => return Err(truncated),
            Some(FORMAT_VERSION) => {}
            Some(version) => {
                return Err(TableError::WrongVersion {
                    file: path,
                    what: VersionKind::Format,
                    found: version.into(),
                    expected: FORMAT_VERSION.into(),
                });
            }
        }
        if found != manifest.values.bytes {
            return Err(truncated);
        }
        if header != values_file::header(manifest) {
            let reason = "it does not match the manifest";
            return Err(TableError::damaged(&path, FilePart::Header, reason));
        }
        let damaged = |reason| TableError::damaged(&path, FilePart::Footer, reason);
        let mut footer = [0; FOOTER_BYTES as usize];
        let at =
            found.checked_sub(FOOTER_BYTES).ok_or_else(|| damaged("the file is too short to have one"))?;
        if read_up_to(&*source, &mut footer, at).map_err(io)? < footer.len() {
            return Err(truncated);
        }
        let block_count = manifest.block_count();
        let seal = Footer::seal(&footer);
        let footer = Footer::read(&footer, &header, found, block_count)
            .ok_or_else(|| damaged("its checksum is wrong"))?;
        if seal != manifest.values.seal {
            return Err(damaged("it does not belong to the values of the manifest"));
        }
        if footer.pages_at - HEADER_BYTES > manifest.raw_bytes() {
            return Err(damaged("its blocks are too long"));
        }
        let per_block = manifest.cell.per_block(manifest.block_bytes);
        let last_cells = manifest.index_count - block_count.saturating_sub(1) * per_block;
        Ok(ValuesReader {
            source,
            header_checksum: values_file::header_checksum(&header),
            footer,
            block_bytes: manifest.block_bytes as usize,
            last_block_bytes: manifest.cell.bytes(last_cells) as usize,
            path,
        })
    }

    /// The length of a block before compression.
    pub fn block_length(&self, number: u64) -> usize {
        if number + 1 == self.footer.block_count { self.last_block_bytes } else { self.block_bytes }
    }

    /// Reads a page of block descriptions. The page must exist.
    pub fn read_page(&self, number: u64, page: &mut Vec<u8>) -> Result<(), TableError> {
        let (offset, length) = values_file::page_place(number, self.footer.block_count);
        page.resize(length, 0);
        self.fill(page, self.footer.pages_at + offset)?;
        if values_file::page_is_whole(self.header_checksum, number, page) {
            Ok(())
        } else {
            Err(TableError::damaged(&self.path, FilePart::Page(number), "its checksum is wrong"))
        }
    }

    /// Announces that blocks, in ascending order, will be read next. Fetches their pages, then
    /// announces the blocks. The blocks must exist.
    pub fn prepare(&self, numbers: &[u64]) -> Result<(), TableError> {
        let notice = |ranges: &[Range<u64>]| {
            self.source.prepare(ranges).map_err(|error| TableError::io("read", &self.path, error))
        };
        let mut pages: Vec<u64> = numbers.iter().map(|number| number / PAGE_BLOCKS).collect();
        pages.dedup();
        let page_range = |&number: &u64| {
            let (offset, length) = values_file::page_place(number, self.footer.block_count);
            let start = self.footer.pages_at + offset;
            start..start + length as u64
        };
        notice(&pages.iter().map(page_range).collect::<Vec<_>>())?;
        let (mut ranges, mut page) = (Vec::with_capacity(numbers.len()), Vec::new());
        for numbers in numbers.chunk_by(|one, next| one / PAGE_BLOCKS == next / PAGE_BLOCKS) {
            self.read_page(numbers[0] / PAGE_BLOCKS, &mut page)?;
            for &number in numbers {
                let described = values_file::described(&page, (number % PAGE_BLOCKS) as usize);
                ranges.push(self.range(number, described)?);
            }
        }
        notice(&ranges)
    }

    /// Reads and decompresses a block. The block must exist, and `block` must have its length.
    pub fn read_block(&self, number: u64, block: &mut [u8]) -> Result<(), TableError> {
        BUFFERS.with_borrow_mut(|(page, stored)| {
            self.read_page(number / PAGE_BLOCKS, page)?;
            let described = values_file::described(page, (number % PAGE_BLOCKS) as usize);
            self.read_described(number, described, stored, block)
        })
    }

    /// The range of a block in the file; `None` if it is impossible. No block is longer than before
    /// compression.
    fn range(&self, number: u64, (offset, block): (u64, Described)) -> Result<Range<u64>, TableError> {
        let (length, end) = (block.length as usize, offset.saturating_add(block.length.into()));
        let fits = (1..=self.block_length(number)).contains(&length);
        if !fits || offset < HEADER_BYTES || end > self.footer.pages_at {
            let reason = "its description is wrong";
            return Err(TableError::damaged(&self.path, FilePart::Block(number), reason));
        }
        Ok(offset..end)
    }

    /// Reads a block that an intact page describes.
    pub fn read_described(
        &self,
        number: u64,
        described: (u64, Described),
        stored: &mut Vec<u8>,
        block: &mut [u8],
    ) -> Result<(), TableError> {
        let damaged = |reason: String| TableError::damaged(&self.path, FilePart::Block(number), reason);
        let range = self.range(number, described)?;
        stored.resize((range.end - range.start) as usize, 0);
        self.fill(stored, range.start)?;
        if values_file::checksum(self.header_checksum, number, stored) != described.1.checksum {
            return Err(damaged("its checksum is wrong".to_owned()));
        }
        unpack(stored, block).map_err(damaged)
    }

    /// Fills the buffer with bytes that the file contained when it was opened.
    fn fill(&self, buffer: &mut [u8], offset: u64) -> Result<(), TableError> {
        let io = |error| TableError::io("read", &self.path, error);
        if read_up_to(&*self.source, buffer, offset).map_err(io)? == buffer.len() {
            return Ok(());
        }
        // The file was truncated after it was opened.
        let found = self.source.length().map_err(io)?;
        Err(TableError::Truncated { file: self.path.clone(), found, expected: self.footer.file_bytes })
    }
}
