//! zstd frames that say how long their content is, as the logs and the depth files have them.
//!
//! In WebAssembly there is no library for them and no file to write: boards are solved in memory
//! there, and everything here is refused.

#[cfg(not(target_family = "wasm"))]
pub(crate) use native::{compress, content_size};
#[cfg(target_family = "wasm")]
pub(crate) use refused::{compress, content_size};

#[cfg(not(target_family = "wasm"))]
mod native {
    use std::cell::RefCell;
    use std::io;

    use retrograde_table::compression::Compressor;

    thread_local! {
        /// That of [`compress`], with its level: a solve in parts packs some hundred thousand chunks of a
        /// few kilobytes, and to make one takes as long as to pack one of them.
        static COMPRESSOR: RefCell<Option<(i32, Compressor)>> = const { RefCell::new(None) };
    }

    pub(crate) fn compress(bytes: &[u8], level: i32) -> io::Result<Vec<u8>> {
        COMPRESSOR.with_borrow_mut(|kept| {
            let compressor = match kept {
                Some((of, compressor)) if *of == level => compressor,
                _ => &mut kept.insert((level, Compressor::telling_sizes(level)?)).1,
            };
            let mut packed = Vec::new();
            compressor.compress(bytes, &mut packed)?;
            Ok(packed)
        })
    }

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

    pub(crate) fn content_size(_frame: &[u8]) -> u64 {
        0
    }
}
