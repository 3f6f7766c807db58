//! Compresses files of a site, since hosts compress neither WebAssembly nor unknown types. Answers
//! use gzip, which every browser decompresses. Modules use zstd, which makes them a fifth smaller;
//! the page includes a decompressor.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

/// The zstd level beyond which nothing gets smaller: the window covers the whole module.
const ZSTD_LEVEL: i32 = 22;

/// Compresses a module with zstd. The result depends only on the module and the version of zstd.
///
/// # Errors
/// None are known: it writes to memory.
pub(super) fn packed_module(module: &[u8]) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(module, ZSTD_LEVEL)
}

/// Compresses bytes with gzip, deterministically.
///
/// # Errors
/// None are known: it writes to memory.
pub(super) fn packed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes)?;
    packer.finish()
}
