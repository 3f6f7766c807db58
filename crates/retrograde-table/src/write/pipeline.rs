//! Compresses blocks on several threads while the calling thread receives them in order. Chunks of
//! blocks are dealt to the threads in turn. Each thread is at most two chunks ahead of the file, so
//! memory is bounded. The output does not depend on the number of threads.

use std::ops::Range;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

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
pub(crate) struct Work<V> {
    pub how: (TableKind, CellWidth),
    pub header_checksum: u32,
    pub values: V,
    /// The number of the first value of the first block.
    pub first_value: usize,
    /// The number of the first block.
    pub first_block: u64,
    /// The number of blocks, all full.
    pub blocks: u64,
    pub cells_per_block: u64,
    pub block_bytes: usize,
}

impl<V: Values> Work<V> {
    fn chunks(&self) -> u64 {
        self.blocks.div_ceil(CHUNK_BLOCKS)
    }

    /// The blocks of a chunk, relative to the first block of this work.
    fn chunk(&self, chunk: u64) -> Range<u64> {
        chunk * CHUNK_BLOCKS..((chunk + 1) * CHUNK_BLOCKS).min(self.blocks)
    }

    fn pack(&self, chunk: u64) -> Result<Packed, Failed> {
        let (mut packed, mut buffer) = (Packed::default(), vec![0; self.block_bytes]);
        let cells = self.cells_per_block as usize;
        for block in self.chunk(chunk) {
            buffer.fill(0);
            let from = self.first_value + block as usize * cells;
            self.values.encode(self.how, from, cells, &mut buffer, 0).map_err(Failed::Unfit)?;
            let number = self.first_block + block;
            let described = pack(self.header_checksum, number, &buffer, &mut packed.stored);
            packed.blocks.push(described.map_err(Failed::Zstd)?);
        }
        Ok(packed)
    }

    /// Compresses every `threads`-th chunk from `first` on and sends it, until the receiver is dropped.
    fn serve(&self, first: u64, threads: u64, out: &SyncSender<Result<Packed, Failed>>) {
        for chunk in (first..self.chunks()).step_by(threads as usize) {
            let packed = self.pack(chunk);
            let failed = packed.is_err();
            if out.send(packed).is_err() || failed {
                return;
            }
        }
    }

    /// Compresses all chunks on `threads` threads and passes them to `take` in order.
    pub fn run<E: From<Failed>>(
        &self,
        threads: usize,
        mut take: impl FnMut(&Packed) -> Result<(), E>,
    ) -> Result<(), E> {
        let threads = (threads.max(1) as u64).min(self.chunks());
        if threads <= 1 {
            return (0..self.chunks()).try_for_each(|chunk| take(&self.pack(chunk)?));
        }
        thread::scope(|scope| {
            // `None` if the system cannot start a thread; then this thread compresses its chunks.
            let outputs: Vec<Option<Receiver<_>>> = (0..threads)
                .map(|first| {
                    let (sender, receiver) = sync_channel(1);
                    let serve = move || self.serve(first, threads, &sender);
                    thread::Builder::new().spawn_scoped(scope, serve).is_ok().then_some(receiver)
                })
                .collect();
            for chunk in 0..self.chunks() {
                match outputs[(chunk % threads) as usize].as_ref().map(Receiver::recv) {
                    Some(Ok(packed)) => take(&packed?)?,
                    // The thread panicked. The scope propagates the panic when it ends.
                    Some(Err(_)) => break,
                    None => take(&self.pack(chunk)?)?,
                }
            }
            Ok(())
        })
    }
}
