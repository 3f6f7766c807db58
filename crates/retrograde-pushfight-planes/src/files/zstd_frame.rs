//! zstd frames that say how long their content is, as the logs and the depth files have them.
//!
//! In WebAssembly there is no library for them and no file to write: boards are solved in memory
//! there, and everything here is refused.

#[cfg(not(target_family = "wasm"))]
pub(crate) use native::{compress, content_size, decompress};
#[cfg(target_family = "wasm")]
pub(crate) use refused::{compress, content_size, decompress};

#[cfg(not(target_family = "wasm"))]
mod native {
    pub(crate) use zstd::bulk::{compress, decompress};

    /// The length that a frame says its content has; 0 if it says none.
    pub(crate) fn content_size(frame: &[u8]) -> u64 {
        zstd::zstd_safe::get_frame_content_size(frame).ok().flatten().unwrap_or(0)
    }
}

#[cfg(target_family = "wasm")]
mod refused {
    use std::io;

    pub(crate) fn compress(_bytes: &[u8], _level: i32) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn decompress(_frame: &[u8], _most: usize) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn content_size(_frame: &[u8]) -> u64 {
        0
    }
}
