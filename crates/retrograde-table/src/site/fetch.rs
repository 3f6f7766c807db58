//! Fetches bytes of a site's files: over HTTP, from a page, or in tests from memory.

use std::fmt::Debug;
use std::io;
use std::ops::Range;

/// A file on the site: a whole file, or a piece of a file that is split.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// Its address, relative to the folder of `site.json`.
    pub path: String,
    /// Its length in bytes according to `site.json`.
    pub bytes: u64,
}

/// Fetches bytes of a site's files. Readers check the bytes, block by block.
pub trait Fetch: Send + Sync + Debug {
    /// Fetches a range of a piece. The range is within the piece and not empty.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if the bytes are not here yet and waiting is impossible: the
    /// range is noted, and the caller can try again once its bytes have arrived. Any other error
    /// describes the response of the host.
    fn fetch(&self, piece: &Piece, range: Range<u64>) -> io::Result<Vec<u8>>;

    /// Announces that all these ranges will be fetched next, so that they can be merged and
    /// requested at the same time. Does nothing without a cache.
    ///
    /// # Errors
    /// The same as [`Fetch::fetch`].
    fn prepare(&self, ranges: &[(Piece, Range<u64>)]) -> io::Result<()> {
        let _ = ranges;
        Ok(())
    }
}
