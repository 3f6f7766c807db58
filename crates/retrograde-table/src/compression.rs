//! zstd, by the library where there is one, and decompressing only, in Rust alone, where there is
//! none: in WebAssembly, whose tables were written elsewhere.

#[cfg(not(target_family = "wasm"))]
pub use native::{Compressor, Decompressor};
#[cfg(target_family = "wasm")]
pub use portable::{Compressor, Decompressor};

use std::cell::RefCell;
use std::io;

/// Compresses bytes at a level.
///
/// # Errors
/// Where nothing can be compressed: in WebAssembly.
pub fn compress(bytes: &[u8], level: i32) -> io::Result<Vec<u8>> {
    let mut packed = Vec::new();
    Compressor::new(level)?.compress(bytes, &mut packed)?;
    Ok(packed)
}

/// Decompresses bytes that were at most `most`.
///
/// # Errors
/// If they are damaged, or more.
pub fn decompress(packed: &[u8], most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; most];
    let length = DECOMPRESSOR.with_borrow_mut(|kept| {
        let decompressor = match kept {
            Some(decompressor) => decompressor,
            None => kept.insert(Decompressor::new()?),
        };
        decompressor.decompress(packed, &mut bytes)
    })?;
    bytes.truncate(length);
    Ok(bytes)
}

thread_local! {
    /// That of [`decompress`]: to make one takes as long as to decompress some ten thousand bytes.
    static DECOMPRESSOR: RefCell<Option<Decompressor>> = const { RefCell::new(None) };
}

#[cfg(not(target_family = "wasm"))]
mod native {
    use std::io;

    /// Compresses, and keeps its working memory.
    pub struct Compressor(zstd::bulk::Compressor<'static>);

    impl Compressor {
        /// For a level.
        ///
        /// # Errors
        /// Any error of the library.
        pub fn new(level: i32) -> io::Result<Compressor> {
            let mut zstd = zstd::bulk::Compressor::new(level)?;
            zstd.set_parameter(zstd::zstd_safe::CParameter::ContentSizeFlag(false))?;
            zstd.set_parameter(zstd::zstd_safe::CParameter::ChecksumFlag(false))?;
            Ok(Compressor(zstd))
        }

        /// Replaces what is in `packed` by the bytes, compressed.
        ///
        /// # Errors
        /// Any error of the library.
        pub fn compress(&mut self, bytes: &[u8], packed: &mut Vec<u8>) -> io::Result<()> {
            packed.clear();
            packed.reserve(zstd::zstd_safe::compress_bound(bytes.len()));
            self.0.compress_to_buffer(bytes, packed).map(drop)
        }
    }

    /// Decompresses, and keeps its working memory.
    pub struct Decompressor(zstd::bulk::Decompressor<'static>);

    impl Decompressor {
        /// Ready to decompress.
        ///
        /// # Errors
        /// Any error of the library.
        pub fn new() -> io::Result<Decompressor> {
            zstd::bulk::Decompressor::new().map(Decompressor)
        }

        /// Fills the beginning of `bytes` and says how much of it.
        ///
        /// # Errors
        /// If it is damaged, or does not fit.
        pub fn decompress(&mut self, packed: &[u8], bytes: &mut [u8]) -> io::Result<usize> {
            self.0.decompress_to_buffer(packed, bytes)
        }
    }
}

#[cfg(target_family = "wasm")]
mod portable {
    use std::io;

    use ruzstd::decoding::FrameDecoder;

    /// Compresses nothing here.
    pub struct Compressor(());

    impl Compressor {
        /// There is none.
        ///
        /// # Errors
        /// Always.
        pub fn new(_level: i32) -> io::Result<Compressor> {
            Err(io::ErrorKind::Unsupported.into())
        }

        /// Never.
        ///
        /// # Errors
        /// Always.
        pub fn compress(&mut self, _bytes: &[u8], _packed: &mut Vec<u8>) -> io::Result<()> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    /// Decompresses, and keeps its working memory.
    pub struct Decompressor(FrameDecoder);

    impl Decompressor {
        /// Ready to decompress.
        ///
        /// # Errors
        /// None.
        pub fn new() -> io::Result<Decompressor> {
            Ok(Decompressor(FrameDecoder::new()))
        }

        /// Fills the beginning of `bytes` and says how much of it.
        ///
        /// # Errors
        /// If it is damaged, or does not fit.
        pub fn decompress(&mut self, packed: &[u8], bytes: &mut [u8]) -> io::Result<usize> {
            self.0.decode_all(packed, bytes).map_err(|error| io::Error::other(error.to_string()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{compress, decompress};

    #[test]
    fn what_is_compressed_comes_back() {
        let bytes: Vec<u8> = (0..5000_u32).map(|n| (n / 9) as u8).collect();
        let packed = compress(&bytes, 1).unwrap();
        assert!(packed.len() < bytes.len());
        assert_eq!(decompress(&packed, 6000).unwrap(), bytes);
        assert!(decompress(&packed, 4999).is_err());
        assert!(decompress(&packed[..packed.len() - 3], 6000).is_err());
    }
}
