//! Files of a site that are packed by gzip: hosts pack neither WebAssembly nor what they do not know, and
//! every browser unpacks it.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

/// The bytes packed, the same for the same bytes.
///
/// # Errors
/// None that is known of: it writes into memory.
pub(super) fn packed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes)?;
    packer.finish()
}
