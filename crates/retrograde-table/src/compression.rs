//! zstd. Uses the C library where it is available. WebAssembly only decompresses, with an
//! implementation in Rust.

#[cfg(not(target_family = "wasm"))]
pub use native::{Compressor, Decompressor};
#[cfg(target_family = "wasm")]
pub use portable::{Compressor, Decompressor};

use std::cell::RefCell;
use std::io;

/// Compresses bytes with a zstd level.
///
/// # Errors
/// In WebAssembly, which cannot compress.
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
    /// The context of [`compress`] and its level. Creating one takes as long as compressing a few kilobytes.
    static COMPRESSOR: RefCell<Option<(i32, Compressor)>> = const { RefCell::new(None) };
    /// The context of [`decompress`]. Creating one takes as long as decompressing some ten thousand bytes.
    static DECOMPRESSOR: RefCell<Option<Decompressor>> = const { RefCell::new(None) };
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
    pub struct Decompressor(DCtx<'static>);

    impl Decompressor {
        /// Creates a decompressor.
        ///
        /// # Errors
        /// Any error of the library.
        pub fn new() -> io::Result<Decompressor> {
            got(DCtx::try_create()).map(Decompressor)
        }

        /// Decompresses to the beginning of `bytes` and returns the length.
        ///
        /// # Errors
        /// If `packed` is damaged or does not fit.
        pub fn decompress(&mut self, packed: &[u8], bytes: &mut [u8]) -> io::Result<usize> {
            self.0.decompress(bytes, packed).map_err(failed)
        }
    }
}

#[cfg(target_family = "wasm")]
mod portable {
    use std::io;

    use ruzstd::decoding::FrameDecoder;

    /// Not available in WebAssembly.
    pub struct Compressor(());

    impl Compressor {
        /// Always fails.
        ///
        /// # Errors
        /// Always.
        pub fn new(_level: i32) -> io::Result<Compressor> {
            Err(io::ErrorKind::Unsupported.into())
        }

        /// Always fails.
        ///
        /// # Errors
        /// Always.
        pub fn compress(&mut self, _bytes: &[u8], _packed: &mut Vec<u8>) -> io::Result<()> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    /// Decompresses with reused working memory.
    pub struct Decompressor(FrameDecoder);

    impl Decompressor {
        /// Creates a decompressor.
        ///
        /// # Errors
        /// Never.
        pub fn new() -> io::Result<Decompressor> {
            Ok(Decompressor(FrameDecoder::new()))
        }

        /// Decompresses to the beginning of `bytes` and returns the length.
        ///
        /// # Errors
        /// If `packed` is damaged or does not fit.
        pub fn decompress(&mut self, packed: &[u8], bytes: &mut [u8]) -> io::Result<usize> {
            self.0.decode_all(packed, bytes).map_err(|error| io::Error::other(error.to_string()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{compress, decompress};

    #[test]
    fn compressed_bytes_decompress_to_the_same() {
        let bytes: Vec<u8> = (0..5000_u32).map(|n| (n / 9) as u8).collect();
        let packed = compress(&bytes, 1).unwrap();
        assert!(packed.len() < bytes.len());
        assert_eq!(decompress(&packed, 6000).unwrap(), bytes);
        assert!(decompress(&packed, 4999).is_err());
        assert!(decompress(&packed[..packed.len() - 3], 6000).is_err());
    }
}
