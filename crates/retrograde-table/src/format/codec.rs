//! Compresses and decompresses single blocks.

use std::io;

use crate::compression::{compress, decompress_to};
use crate::format::values_file::{Described, checksum};

/// The zstd level. Level 3 makes tables with turns 3% smaller and those of bits no smaller, in up
/// to twice the time. Level -1 makes tables of bits two fifths larger and saves a tenth of the
/// time.
const LEVEL: i32 = 1;

/// Appends a compressed block to `stored`.
pub(crate) fn pack(
    header_checksum: u32,
    number: u64,
    block: &[u8],
    stored: &mut Vec<u8>,
) -> io::Result<Described> {
    let from = stored.len();
    if is_uniform(block) {
        stored.extend_from_slice(&block[..1]);
    } else {
        let packed = compress(block, LEVEL)?;
        let shorter = (2..block.len()).contains(&packed.len());
        stored.extend_from_slice(if shorter { &packed } else { block });
    }
    let stored = &stored[from..];
    Ok(Described { length: stored.len() as u32, checksum: checksum(header_checksum, number, stored) })
}

/// Whether all bytes of a non-empty block are equal.
fn is_uniform(block: &[u8]) -> bool {
    let first = block[0];
    // Compares pieces without a branch per byte.
    block.chunks(256).all(|piece| piece.iter().fold(0, |differs, &byte| differs | (byte ^ first)) == 0)
}

/// Decompresses stored bytes, whose checksum has been checked, to all of `block`. The error names
/// the fault.
pub(crate) fn unpack(stored: &[u8], block: &mut [u8]) -> Result<(), String> {
    if stored.len() == block.len() {
        block.copy_from_slice(stored);
        return Ok(());
    }
    if let [byte] = stored {
        block.fill(*byte);
        return Ok(());
    }
    match decompress_to(stored, block) {
        Ok(length) if length == block.len() => Ok(()),
        Ok(length) => Err(format!("it holds {length} bytes instead of {}", block.len())),
        Err(error) => Err(format!("it cannot be decompressed ({error})")),
    }
}
