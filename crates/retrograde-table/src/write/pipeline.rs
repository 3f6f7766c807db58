//! Compresses whole blocks on several threads while the calling thread receives them in order. The output does not
//! depend on the number of threads.

use std::ops::Range;

use retrograde_solve::{Silent, in_order};

use crate::format::cells::{CellWidth, TableKind, Unfit, Values};
use crate::format::codec::pack;
use crate::format::values_file::Described;

/// The number of blocks that a thread compresses at a time, about 1 MiB of cells.
pub(crate) const CHUNK_BLOCKS: u64 = 64;

/// Compressed blocks, one after the other.
#[derive(Default)]
pub(crate) struct Packed {
    pub stored: Vec<u8>,
    pub blocks: Vec<Described>,
}

/// The reason why a chunk failed.
pub(crate) enum Failed {
    Unfit(Unfit),
    Zstd(std::io::Error),
}

/// The work that the threads share.
#[derive(Clone, Copy)]
pub(crate) struct Work<'a> {
    pub how: (TableKind, CellWidth),
    pub header_checksum: u32,
    pub values: Values<'a>,
    /// The number of the first value of the first block.
    pub first_value: usize,
    /// The number of the first block.
    pub first_block: u64,
    /// The number of blocks, all full.
    pub blocks: u64,
    pub cells_per_block: u64,
    pub block_bytes: usize,
}

impl Work<'_> {
    fn pack(&self, blocks: Range<u64>) -> Result<Packed, Failed> {
        let (mut packed, mut buffer) = (Packed::default(), vec![0; self.block_bytes]);
        let cells = self.cells_per_block as usize;
        for block in blocks {
            buffer.fill(0);
            let from = self.first_value + block as usize * cells;
            self.values.encode(self.how, from, cells, &mut buffer, 0).map_err(Failed::Unfit)?;
            let number = self.first_block + block;
            let described = pack(self.header_checksum, number, &buffer, &mut packed.stored);
            packed.blocks.push(described.map_err(Failed::Zstd)?);
        }
        Ok(packed)
    }

    /// Compresses all blocks on `threads` threads and passes them to `take` in order.
    pub fn run<E: From<Failed> + Send>(
        &self,
        threads: usize,
        take: &mut dyn FnMut(Packed) -> Result<(), E>,
    ) -> Result<(), E> {
        let chunks = self.blocks.div_ceil(CHUNK_BLOCKS) as usize;
        let make = |chunk: usize| {
            let first = chunk as u64 * CHUNK_BLOCKS;
            Ok(self.pack(first..self.blocks.min(first + CHUNK_BLOCKS))?)
        };
        in_order(chunks, threads, &Silent, &make, take).map(drop)
    }
}
