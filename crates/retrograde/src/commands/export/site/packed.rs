//! Files of a site that are packed: hosts pack neither WebAssembly nor what they do not know. Answers
//! are packed by gzip, which every browser unpacks. Modules are packed by zstd, whose packing of them
//! is a fifth shorter; the page brings along what unpacks it.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

/// The level of zstd from which on nothing gets shorter: the window is the whole module.
const ZSTD_LEVEL: i32 = 22;

/// A module packed by zstd, the same bytes for the same module and version of zstd.
///
/// # Errors
/// None that is known of: it writes into memory.
pub(super) fn packed_module(module: &[u8]) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(module, ZSTD_LEVEL)
}

/// The bytes packed by gzip, the same for the same bytes.
///
/// # Errors
/// None that is known of: it writes into memory.
pub(super) fn packed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes)?;
    packer.finish()
}
