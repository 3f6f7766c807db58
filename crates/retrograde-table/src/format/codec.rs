//! Compresses and decompresses single blocks. Both reuse their working memory, because creating it
//! costs more than packing a block: each writer thread has a [`Packer`], each reader thread an
//! [`Unpacker`].

use std::io;

use crate::compression::{Compressor, Decompressor};
use crate::format::values_file::{Described, checksum};

/// The zstd level. Level 3 makes tables with turns 3 % smaller and those of bits no smaller, in up
/// to twice the time. Level -1 makes tables of bits two fifths larger and saves a tenth of the
/// time.
pub(crate) const LEVEL: i32 = 1;

/// Compresses blocks.
pub(crate) struct Packer {
    zstd: Compressor,
    header_checksum: u32,
    scratch: Vec<u8>,
}

impl Packer {
    pub fn new(header_checksum: u32) -> io::Result<Packer> {
        Ok(Packer { zstd: Compressor::new(LEVEL)?, header_checksum, scratch: Vec::new() })
    }

    /// Appends a compressed block to `stored`.
    pub fn pack(&mut self, number: u64, block: &[u8], stored: &mut Vec<u8>) -> io::Result<Described> {
        let from = stored.len();
        if is_uniform(block) {
            stored.extend_from_slice(&block[..1]);
        } else {
            self.zstd.compress(block, &mut self.scratch)?;
            let shorter = (2..block.len()).contains(&self.scratch.len());
            stored.extend_from_slice(if shorter { &self.scratch } else { block });
        }
        let stored = &stored[from..];
        Ok(Described {
            length: stored.len() as u32,
            checksum: checksum(self.header_checksum, number, stored),
        })
    }
}

/// Whether all bytes of a non-empty block are equal.
fn is_uniform(block: &[u8]) -> bool {
    let first = block[0];
    // Compares pieces without a branch per byte.
    block.chunks(256).all(|piece| piece.iter().fold(0, |differs, &byte| differs | (byte ^ first)) == 0)
}

/// Decompresses blocks.
pub(crate) struct Unpacker {
    zstd: Decompressor,
    /// The bytes read from the file.
    pub stored: Vec<u8>,
    /// The page with the description of the block.
    pub page: Vec<u8>,
}

impl Unpacker {
    pub fn new() -> io::Result<Unpacker> {
        Ok(Unpacker { zstd: Decompressor::new()?, stored: Vec::new(), page: Vec::new() })
    }

    /// Decompresses [`Unpacker::stored`], whose checksum has been checked, to all of `block`. The
    /// error describes what is wrong with it.
    pub fn unpack(&mut self, block: &mut [u8]) -> Result<(), String> {
        if self.stored.len() == block.len() {
            block.copy_from_slice(&self.stored);
            return Ok(());
        }
        if let [byte] = self.stored[..] {
            block.fill(byte);
            return Ok(());
        }
        match self.zstd.decompress(&self.stored, block) {
            Ok(length) if length == block.len() => Ok(()),
            Ok(length) => Err(format!("it holds {length} bytes instead of {}", block.len())),
            Err(error) => Err(format!("it cannot be decompressed ({error})")),
        }
    }
}

thread_local! {
    static UNPACKER: std::cell::RefCell<Option<Unpacker>> = const { std::cell::RefCell::new(None) };
}

/// Calls `f` with the unpacker of this thread. `f` must not call this function again.
pub(crate) fn with_unpacker<T>(f: impl FnOnce(&mut Unpacker) -> T) -> io::Result<T> {
    UNPACKER.with_borrow_mut(|slot| {
        let unpacker = match slot {
            Some(unpacker) => unpacker,
            None => slot.insert(Unpacker::new()?),
        };
        Ok(f(unpacker))
    })
}
