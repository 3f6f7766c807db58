//! zstd. Uses the C library where it is available. WebAssembly decompresses with an implementation in
//! Rust, and "compresses" to frames that store the bytes as they are.

#[cfg(not(target_family = "wasm"))]
pub use native::Compressor;
#[cfg(not(target_family = "wasm"))]
use native::Decompressor;
#[cfg(target_family = "wasm")]
pub use portable::Compressor;
#[cfg(target_family = "wasm")]
use portable::Decompressor;

use std::cell::RefCell;
use std::io;

/// Whether compressed bytes are smaller. They are stored as they are in WebAssembly.
pub const COMPRESSES: bool = cfg!(not(target_family = "wasm"));

/// Compresses bytes with a zstd level.
///
/// # Errors
/// Any error of the library.
pub fn compress(bytes: &[u8], level: i32) -> io::Result<Vec<u8>> {
    COMPRESSOR.with_borrow_mut(|kept| {
        let compressor = match kept {
            Some((of, compressor)) if *of == level => compressor,
            _ => &mut kept.insert((level, Compressor::new(level)?)).1,
        };
        let mut packed = Vec::new();
        compressor.compress(bytes, &mut packed)?;
        Ok(packed)
    })
}

/// The maximum size of `bytes` bytes after compression.
pub const fn packed_bound(bytes: usize) -> usize {
    bytes.saturating_add(bytes >> 8).saturating_add(64)
}

/// Decompresses bytes to at most `most` bytes.
///
/// # Errors
/// If the bytes are damaged or decompress to more.
pub fn decompress(packed: &[u8], most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; most];
    let length = decompress_to(packed, &mut bytes)?;
    bytes.truncate(length);
    Ok(bytes)
}

/// Decompresses to the beginning of `bytes` and returns the length.
///
/// # Errors
/// If `packed` is damaged or does not fit.
pub(crate) fn decompress_to(packed: &[u8], bytes: &mut [u8]) -> io::Result<usize> {
    DECOMPRESSOR.with_borrow_mut(|kept| {
        let decompressor = match kept {
            Some(decompressor) => decompressor,
            None => kept.insert(Decompressor::new()?),
        };
        decompressor.decompress(packed, bytes)
    })
}

thread_local! {
    /// The context of [`compress`] and its level. Creating one takes as long as compressing a few kilobytes.
    static COMPRESSOR: RefCell<Option<(i32, Compressor)>> = const { RefCell::new(None) };
    /// The context of [`decompress_to`]. Creating one takes as long as decompressing some ten thousand bytes.
    static DECOMPRESSOR: RefCell<Option<Decompressor>> = const { RefCell::new(None) };
}

/// The largest number of bytes in a block of a zstd frame.
#[cfg(any(target_family = "wasm", test))]
const BLOCK_BYTES: usize = 128 << 10;

/// Replaces the content of `packed` by a zstd frame whose blocks are not compressed.
#[cfg(any(target_family = "wasm", test))]
fn store(bytes: &[u8], packed: &mut Vec<u8>) {
    // One segment, without a checksum, with its length in 8 bytes.
    const SINGLE_SEGMENT: u8 = 0b1110_0000;
    packed.clear();
    packed.reserve(packed_bound(bytes.len()));
    packed.extend(0xfd2f_b528_u32.to_le_bytes());
    packed.push(SINGLE_SEGMENT);
    packed.extend((bytes.len() as u64).to_le_bytes());
    let (blocks, rest) = bytes.as_chunks::<BLOCK_BYTES>();
    let blocks = blocks.iter().map(|block| (block.as_slice(), 0));
    for (block, last) in blocks.chain([(rest, 1)]) {
        // Bits 1 and 2 are the type of a block: 0 if it is not compressed.
        packed.extend_from_slice(&(last | (block.len() as u32) << 3).to_le_bytes()[..3]);
        packed.extend_from_slice(block);
    }
}

#[cfg(not(target_family = "wasm"))]
mod native {
    use std::io;

    use zstd::zstd_safe::{CCtx, CParameter, DCtx, compress_bound, get_error_name};

    fn failed(code: usize) -> io::Error {
        io::Error::other(get_error_name(code))
    }

    /// Returns an error if there is no memory for a context; `zstd::bulk` would panic.
    fn got<T>(context: Option<T>) -> io::Result<T> {
        context.ok_or_else(|| io::ErrorKind::OutOfMemory.into())
    }

    /// Compresses with reused working memory.
    pub struct Compressor(CCtx<'static>);

    impl Compressor {
        /// Creates a compressor for a level.
        ///
        /// # Errors
        /// Any error of the library.
        pub fn new(level: i32) -> io::Result<Compressor> {
            let mut context = got(CCtx::try_create())?;
            for parameter in [
                CParameter::CompressionLevel(level),
                CParameter::ChecksumFlag(false),
                CParameter::ContentSizeFlag(false),
            ] {
                context.set_parameter(parameter).map_err(failed)?;
            }
            Ok(Compressor(context))
        }

        /// Replaces the content of `packed` by the compressed bytes.
        ///
        /// # Errors
        /// Any error of the library.
        pub fn compress(&mut self, bytes: &[u8], packed: &mut Vec<u8>) -> io::Result<()> {
            packed.clear();
            packed.reserve(compress_bound(bytes.len()));
            self.0.compress2(packed, bytes).map(drop).map_err(failed)
        }
    }

    /// Decompresses with reused working memory.
    pub(super) struct Decompressor(DCtx<'static>);

    impl Decompressor {
        pub(super) fn new() -> io::Result<Decompressor> {
            got(DCtx::try_create()).map(Decompressor)
        }

        pub(super) fn decompress(&mut self, packed: &[u8], bytes: &mut [u8]) -> io::Result<usize> {
            self.0.decompress(bytes, packed).map_err(failed)
        }
    }
}

#[cfg(target_family = "wasm")]
mod portable {
    use std::io;

    use ruzstd::decoding::FrameDecoder;

    /// Stores bytes as they are.
    pub struct Compressor(());

    impl Compressor {
        /// Creates a compressor. The level has no effect.
        ///
        /// # Errors
        /// Never.
        pub fn new(_level: i32) -> io::Result<Compressor> {
            Ok(Compressor(()))
        }

        /// Replaces the content of `packed` by a frame with these bytes.
        ///
        /// # Errors
        /// Never.
        pub fn compress(&mut self, bytes: &[u8], packed: &mut Vec<u8>) -> io::Result<()> {
            super::store(bytes, packed);
            Ok(())
        }
    }

    /// Decompresses with reused working memory.
    pub(super) struct Decompressor(FrameDecoder);

    impl Decompressor {
        pub(super) fn new() -> io::Result<Decompressor> {
            Ok(Decompressor(FrameDecoder::new()))
        }

        pub(super) fn decompress(&mut self, packed: &[u8], bytes: &mut [u8]) -> io::Result<usize> {
            self.0.decode_all(packed, bytes).map_err(|error| io::Error::other(error.to_string()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK_BYTES, compress, decompress, packed_bound, store};

    #[test]
    fn compressed_bytes_decompress_to_the_same() {
        let bytes: Vec<u8> = (0..5000_u32).map(|n| (n / 9) as u8).collect();
        let packed = compress(&bytes, 1).unwrap();
        assert!(packed.len() < bytes.len());
        assert_eq!(decompress(&packed, 6000).unwrap(), bytes);
        assert!(decompress(&packed, 4999).is_err());
        assert!(decompress(&packed[..packed.len() - 3], 6000).is_err());
    }

    #[test]
    fn stored_bytes_decompress_to_the_same() {
        for length in [0, 1, 5000, BLOCK_BYTES, 3 * BLOCK_BYTES + 7] {
            let bytes: Vec<u8> = (0..length).map(|n| (n / 9) as u8).collect();
            let mut packed = vec![1];
            store(&bytes, &mut packed);
            assert!(packed.len() <= packed_bound(length), "{length}");
            assert_eq!(decompress(&packed, length).unwrap(), bytes, "{length}");
            assert!(length == 0 || decompress(&packed, length - 1).is_err(), "{length}");
        }
    }
}
