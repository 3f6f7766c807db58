//! Getting bytes of a site's files: over HTTP, from a page, or in tests from memory.

use std::fmt::Debug;
use std::io;
use std::ops::Range;

/// A file as it lies on the site: a whole file, or one of those that a file was cut into.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// Its address, relative to the folder of `site.json`.
    pub path: String,
    /// Its length in bytes, as `site.json` says.
    pub bytes: u64,
}

/// Gets bytes of a site's files. What it gives is checked by those who read it, block by block.
pub trait Fetch: Send + Sync + Debug {
    /// The bytes of a range of a piece, which lies within the piece and is not empty.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if they are not here and waiting is impossible: the range was
    /// noted, and the question can be asked again once its bytes have come. Any other error says in
    /// words what the host answered.
    fn fetch(&self, piece: &Piece, range: Range<u64>) -> io::Result<Vec<u8>>;

    /// Says that these ranges will be asked for next, all of them: so they can be merged and come
    /// at the same time. Whoever has no cache does nothing.
    ///
    /// # Errors
    /// As for [`Fetch::fetch`].
    fn prepare(&self, ranges: &[(Piece, Range<u64>)]) -> io::Result<()> {
        let _ = ranges;
        Ok(())
    }
}
