//! A depth file by opponent, version 1 of the format: as solves before version 2 wrote it. It is
//! still read, and can be turned into one by mover.
//!
//! Positions stand where the solver has them: by the opponent's pushers and anchor (a
//! *superblock*), the mover's pushers (a *cell*), the opponent's pawns (a row) and the mover's
//! pawns (a bit). A block holds some consecutive cells; it is read, checked and decompressed as a
//! whole.
//!
//! ```text
//! blocks        by superblock, each a zstd frame of
//!               for each cell a bit for each row that is present, in words of 8 bytes
//!               for each word of those rows a byte: a bit for each byte that is not zero
//!               the bytes that are not zero
//!               for each bit that is set a byte: half of the position's turns, rounded down
//! directory     for each block and the end: its offset (8); then for each block its CRC-32C (4)
//! ```

use std::path::PathBuf;
use std::sync::Arc;

use retrograde_pushfight::Position;
use retrograde_table::{FilePart, FrameReader, Source, TableError, compression, read_up_to};

use crate::files::depth::cache::BlockCache;
use crate::files::depth::opponent_block::{CELLS_PER_BLOCK, OpponentBlock};
use crate::files::zstd_frame;
use crate::layout::location::Location;
use crate::layout::numbering::Layout;
use crate::layout::sets::expand;
use crate::layout::superblocks::SuperblockId;

/// Bytes of a decoded block in memory, on the standard board.
const BLOCK_MEMORY: u64 = 30 << 10;
/// Decoded blocks that are kept, unless they are limited.
const MAX_BLOCKS: usize = 4096;

/// The numbers of a board's shape, as the description has them.
pub(crate) fn numbers(layout: &Layout) -> [usize; 3] {
    [layout.superblocks.len(), layout.cells.len(), CELLS_PER_BLOCK]
}

/// The blocks of a file by opponent.
pub(crate) struct OpponentBlocks {
    path: PathBuf,
    source: Arc<dyn Source>,
    layout: Arc<Layout>,
    per_superblock: usize,
    starts: Vec<u64>,
    sums: Vec<u32>,
    kept: BlockCache<OpponentBlock>,
}

impl OpponentBlocks {
    /// Reads the directory. Returns the checksum of the file's foot too.
    pub(super) fn open(
        framed: &FrameReader<'_>,
        path: PathBuf,
        source: Arc<dyn Source>,
        layout: Arc<Layout>,
    ) -> Result<(OpponentBlocks, u32), TableError> {
        let per_superblock = layout.cells.len().div_ceil(CELLS_PER_BLOCK);
        let blocks = (layout.superblocks.len() * per_superblock) as u64;
        let directory =
            framed.directory(|found| (found == blocks).then_some(12 * blocks + 8), (4, |_: &[u8]| true))?;
        let (starts, sums) = directory.bytes.split_at(8 * blocks as usize + 8);
        let starts: Vec<u64> =
            starts.as_chunks::<8>().0.iter().map(|start| u64::from_le_bytes(*start)).collect();
        let sums = sums.as_chunks::<4>().0.iter().map(|sum| u32::from_le_bytes(*sum)).collect();
        if !starts.is_sorted() || starts.last() != Some(&directory.at) {
            return Err(TableError::damaged(&path, FilePart::Page(0), "its blocks are not in order"));
        }
        let kept = BlockCache::new(MAX_BLOCKS);
        Ok((OpponentBlocks { path, source, layout, per_superblock, starts, sums, kept }, directory.checksum))
    }

    /// The number of blocks.
    pub(super) fn count(&self) -> usize {
        self.sums.len()
    }

    /// The bytes of all blocks.
    pub(super) fn bytes(&self) -> u64 {
        self.starts.last().map_or(0, |end| end - self.starts[0])
    }

    fn read_block(&self, number: usize) -> Result<OpponentBlock, TableError> {
        let damaged = |reason: &str| TableError::damaged(&self.path, FilePart::Block(number as u64), reason);
        let (from, to) = (self.starts[number], self.starts[number + 1]);
        let first = number % self.per_superblock * CELLS_PER_BLOCK;
        let cells = CELLS_PER_BLOCK.min(self.layout.cells.len() - first);
        let most = OpponentBlock::most_bytes(cells, self.layout.words);
        if to - from > compression::packed_bound(most) as u64 {
            return Err(damaged("it is too long"));
        }
        let mut packed = vec![0; (to - from) as usize];
        let read = read_up_to(&*self.source, &mut packed, from)
            .map_err(|error| TableError::io("read", &self.path, error))?;
        if read < packed.len() || crc32c::crc32c(&packed) != self.sums[number] {
            return Err(damaged("its checksum is wrong"));
        }
        let size = zstd_frame::content_size(&packed);
        if size > most as u64 {
            return Err(damaged("it is too long"));
        }
        let raw = compression::decompress(&packed, size as usize)
            .map_err(|_| damaged("it cannot be decompressed"))?;
        OpponentBlock::new(raw, cells, self.layout.words)
            .filter(|block| block.is_within(self.layout.words, self.layout.lanes))
            .ok_or_else(|| damaged("its lengths do not fit"))
    }

    /// The blocks of a superblock, without those of which no cell is wanted.
    pub(super) fn of_superblock(
        &self,
        superblock: SuperblockId,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Vec<Option<OpponentBlock>>, TableError> {
        let first = superblock.index() * self.per_superblock;
        let read = |number: usize| wanted(number).then(|| self.read_block(first + number)).transpose();
        (0..self.per_superblock).map(read).collect()
    }

    /// The bytes of memory that it may come to take.
    pub(super) fn memory(&self) -> u64 {
        let directory = self.starts.len() * size_of::<u64>() + self.sums.len() * size_of::<u32>();
        directory as u64 + self.kept.most().min(self.sums.len()) as u64 * BLOCK_MEMORY
    }

    /// Keeps at most so many bytes of blocks in memory.
    pub(super) fn limit_cache(&mut self, bytes: u64) {
        self.kept.limit(usize::try_from(bytes / BLOCK_MEMORY).unwrap_or(usize::MAX));
    }

    fn block_of(&self, location: Location) -> usize {
        location.superblock.index() * self.per_superblock + location.cell / CELLS_PER_BLOCK
    }

    /// Whether its file wants to know what will be read.
    pub(super) fn wants_notice(&self) -> bool {
        self.source.wants_notice()
    }

    /// Says that the blocks of these locations will be read next.
    pub(super) fn prepare(&self, locations: &[Location]) -> std::io::Result<()> {
        let mut numbers: Vec<usize> = locations.iter().map(|&location| self.block_of(location)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.retain(|&number| !self.kept.has(number));
        let ranges = numbers.iter().map(|&number| self.starts[number]..self.starts[number + 1]);
        self.source.prepare(&super::ranges::merged(ranges))
    }

    /// Half of the turns of the position at a location, if the file has it.
    pub(super) fn half(&self, location: Location) -> Result<Option<u8>, TableError> {
        let number = self.block_of(location);
        let block = match self.kept.get(number) {
            Some(block) => block,
            None => {
                let block = Arc::new(self.read_block(number)?);
                self.kept.put(number, block.clone());
                block
            }
        };
        Ok(block.half(self.layout.words, location.cell % CELLS_PER_BLOCK, location.row, location.bit))
    }

    /// Visits the positions of a block with half of their turns, until `visit` returns false, which
    /// is then returned too.
    pub(super) fn visit_block<E: From<TableError>>(
        &self,
        number: usize,
        visit: &mut dyn FnMut(Position, u8) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let layout = &self.layout;
        let words = layout.words;
        let (superblock, first) =
            (number / self.per_superblock, number % self.per_superblock * CELLS_PER_BLOCK);
        let superblock = SuperblockId::new(superblock);
        let block = self.read_block(number)?;
        let opponent = layout.superblocks[superblock].pushers as usize;
        let other_pushers = layout.pusher_sets[opponent];
        for cell in 0..block.cells() {
            let own_pushers = expand(layout.cells[first + cell], layout.board.all & !other_pushers);
            let set = |lane| layout.pawns_beside(opponent, lane);
            for (row, bit, half) in block.cell(words, cell) {
                let position = Position {
                    own_pushers,
                    own_pawns: set(bit),
                    other_pushers,
                    other_pawns: set(row),
                    anchor: layout.anchor(superblock),
                };
                if !visit(position, half)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Reads a block, and says nothing about its positions.
    pub(super) fn check_block(&self, number: usize) -> Result<(), TableError> {
        self.read_block(number).map(drop)
    }

    /// The superblock of a block.
    pub(super) fn superblock_of(&self, number: usize) -> SuperblockId {
        SuperblockId::new(number / self.per_superblock)
    }
}
