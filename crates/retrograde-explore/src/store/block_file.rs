//! Files of compressed blocks, written and read block by block, each with a checksum. The most
//! recently used blocks stay in memory, decoded.
//!
//! [`FrameFormat`] defines the head, description, directory and foot; the description is JSON.
//! Each entry of the directory is a file-specific key, which may be empty, and the extent of the
//! block: its offset (8), its length (4), its CRC-32C (4), little-endian. The [`BlockDescription`]
//! defines the contents of blocks.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use retrograde_solve::Progress;
use retrograde_table::compression::{self, packed_bound};
use retrograde_table::{FilePart, FrameFormat, Source, Storage, TableError, read_up_to};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The size of an extent in bytes.
const EXTENT: usize = 16;

/// The format that all files of one kind share.
#[derive(Clone, Copy)]
pub(crate) struct BlockFormat {
    pub frame: FrameFormat,
    /// The name of the kind of file, for errors.
    pub what: &'static str,
    /// The size of a key in bytes.
    pub key_bytes: usize,
    /// The maximum size of an uncompressed block in bytes.
    pub most_bytes: usize,
    /// The memory of a decoded block in bytes.
    pub block_memory: usize,
    /// The default number of decoded blocks in memory.
    pub cached_blocks: usize,
}

/// The description before the blocks, which defines how to read them.
pub(crate) trait BlockDescription: Serialize + DeserializeOwned {
    const FORMAT: BlockFormat;
    /// A decoded block.
    type Block;

    /// The number of blocks that the file must have.
    fn block_count(&self) -> u64;

    /// Decodes the bytes of a block.
    ///
    /// # Errors
    /// The fault of an invalid block.
    fn decode(&self, number: usize, key: &[u8], bytes: &[u8]) -> Result<Self::Block, &'static str>;
}

/// Writes a file, block by block.
pub(crate) struct BlockWriter<'a> {
    frame: FrameFormat,
    file: &'a mut dyn Write,
    head: Vec<u8>,
    /// The offset of the next block.
    offset: u64,
    directory: Vec<u8>,
    blocks: u64,
}

impl<'a> BlockWriter<'a> {
    pub(crate) fn begin<D: BlockDescription>(
        file: &'a mut dyn Write,
        description: &D,
    ) -> io::Result<BlockWriter<'a>> {
        let frame = D::FORMAT.frame;
        let head = frame.head(&serde_json::to_vec(description)?)?;
        file.write_all(&head)?;
        let offset = head.len() as u64;
        Ok(BlockWriter { frame, file, head, offset, directory: Vec::new(), blocks: 0 })
    }

    /// Appends a compressed block.
    pub(crate) fn block(&mut self, key: &[u8], packed: &[u8]) -> io::Result<()> {
        self.file.write_all(packed)?;
        self.directory.extend(key);
        self.directory.extend(self.offset.to_le_bytes());
        self.directory.extend((packed.len() as u32).to_le_bytes());
        self.directory.extend(crc32c::crc32c(packed).to_le_bytes());
        self.offset += packed.len() as u64;
        self.blocks += 1;
        Ok(())
    }

    /// Completes the file and returns the checksum of its foot.
    pub(crate) fn finish(self) -> io::Result<u32> {
        let foot = self.frame.foot(&self.head, self.offset, self.blocks, &self.directory);
        self.file.write_all(&self.directory)?;
        self.file.write_all(&foot)?;
        Ok(crc32c::crc32c(&foot))
    }
}

/// A file, open for reading.
pub(crate) struct BlockFile<D: BlockDescription> {
    pub path: PathBuf,
    source: Box<dyn Source>,
    pub about: D,
    directory: Vec<u8>,
    /// The checksum of the foot, which covers the description and the directory, and thereby all
    /// blocks.
    pub checksum: u32,
    cache: Mutex<HashMap<usize, Arc<D::Block>>>,
    /// The maximum number of cached blocks.
    cached_blocks: usize,
}

impl<D: BlockDescription> BlockFile<D> {
    /// Opens a file. Returns `None` if there is no file, or if `accepts` rejects its description.
    pub(crate) fn open(
        storage: &dyn Storage,
        path: &Path,
        accepts: impl FnOnce(&D) -> Result<bool, TableError>,
    ) -> Result<Option<BlockFile<D>>, TableError> {
        let source = match storage.open(path) {
            Ok(source) => source,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(TableError::io("read", path, error)),
        };
        let framed = D::FORMAT.frame.open(D::FORMAT.what, path, &*source)?;
        let about: D = serde_json::from_slice(&framed.description)
            .map_err(|error| TableError::damaged(path, FilePart::Header, error.to_string()))?;
        if !accepts(&about)? {
            return Ok(None);
        }
        let blocks = about.block_count();
        let bytes = blocks.checked_mul(Self::ENTRY as u64);
        // Each block begins where the previous one ends and does not exceed the maximum length.
        let mut end = framed.end_of_head();
        let follows = |entry: &[u8]| {
            let (offset, length) = extent(&entry[D::FORMAT.key_bytes..]);
            let fits = offset == end && (1..=packed_bound(D::FORMAT.most_bytes)).contains(&length);
            end = end.saturating_add(length as u64);
            fits
        };
        let found = framed.directory(|found| bytes.filter(|_| found == blocks), (Self::ENTRY, follows))?;
        if end != found.at {
            return Err(TableError::damaged(path, FilePart::Page(0), "its blocks do not fill the file"));
        }
        let (directory, checksum) = (found.bytes, found.checksum);
        let (cache, cached_blocks) = (Mutex::default(), D::FORMAT.cached_blocks);
        let path = path.to_owned();
        Ok(Some(BlockFile { path, source, about, directory, checksum, cache, cached_blocks }))
    }

    /// The size of a directory entry in bytes.
    const ENTRY: usize = D::FORMAT.key_bytes + EXTENT;

    /// The number of blocks.
    pub(crate) fn block_count(&self) -> usize {
        self.directory.len() / Self::ENTRY
    }

    /// The key and the extent of an existing block.
    fn entry(&self, number: usize) -> (&[u8], &[u8]) {
        self.directory[number * Self::ENTRY..][..Self::ENTRY].split_at(D::FORMAT.key_bytes)
    }

    /// The key of an existing block.
    pub(crate) fn key(&self, number: usize) -> &[u8] {
        self.entry(number).0
    }

    /// The maximum memory in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let blocks = self.cached_blocks.min(self.block_count());
        (self.directory.len() + blocks * D::FORMAT.block_memory) as u64
    }

    /// Limits the cache of decoded blocks to `bytes`, but to at least one block.
    pub(crate) fn limit_cache(&mut self, bytes: u64) {
        let blocks = usize::try_from(bytes).unwrap_or(usize::MAX) / D::FORMAT.block_memory;
        self.cached_blocks = self.cached_blocks.min(blocks.max(1));
    }

    /// Reads and checks an existing block, bypassing the cache.
    pub(crate) fn read_block(&self, number: usize) -> Result<D::Block, TableError> {
        let (key, described) = self.entry(number);
        let ((offset, length), checksum) = (extent(described), u32_at(described, 12));
        let wrong = |reason: &str| TableError::damaged(&self.path, FilePart::Block(number as u64), reason);
        let mut packed = vec![0; length];
        let read = read_up_to(&*self.source, &mut packed, offset)
            .map_err(|error| TableError::io("read", &self.path, error))?;
        if read < packed.len() || crc32c::crc32c(&packed) != checksum {
            return Err(wrong("its checksum is wrong"));
        }
        let bytes = compression::decompress(&packed, D::FORMAT.most_bytes)
            .map_err(|error| wrong(&format!("it cannot be decompressed ({error})")))?;
        self.about.decode(number, key, &bytes).map_err(wrong)
    }

    /// Returns an existing block, from the cache if possible.
    pub(crate) fn block(&self, number: usize) -> Result<Arc<D::Block>, TableError> {
        if let Some(block) = self.cache.lock().get(&number) {
            return Ok(block.clone());
        }
        let block = Arc::new(self.read_block(number)?);
        let mut cache = self.cache.lock();
        if cache.len() >= self.cached_blocks {
            cache.clear();
        }
        cache.insert(number, block.clone());
        Ok(block)
    }

    /// Reads all blocks, and returns their number and the damage.
    pub(crate) fn check(
        &self,
        stage: &str,
        progress: &dyn Progress,
    ) -> Result<(u64, Vec<TableError>), TableError> {
        let (blocks, mut faults) = (self.block_count() as u64, Vec::new());
        progress.stage(stage, blocks);
        for number in 0..self.block_count() {
            match self.read_block(number) {
                Ok(_) => {}
                Err(error @ TableError::Damaged { .. }) => faults.push(error),
                Err(error) => return Err(error),
            }
            progress.advance(1);
        }
        Ok((blocks, faults))
    }
}

/// The offset and the length of a block.
fn extent(described: &[u8]) -> (u64, usize) {
    (u64_at(described, 0), u32_at(described, 8) as usize)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
}

/// The number at an offset in `bytes`, or 0 beyond the end.
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes)
}
