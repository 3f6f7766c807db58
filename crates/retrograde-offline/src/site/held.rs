//! The bytes of a site's files that the page has fetched. Missing ranges are recorded, so that the page can
//! fetch them and repeat the request.

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use retrograde_table::site::{Fetch, Piece, RangeCache, RangePart};
use serde::{Deserialize, Serialize};

/// A range of a piece of a file that the page must fetch.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Need {
    /// The address of the piece.
    pub path: String,
    /// The first byte.
    pub from: u64,
    /// The byte after the last one.
    pub to: u64,
    /// The length of the whole piece.
    pub bytes: u64,
}

/// The usage of the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct HeldBytes {
    /// The cached bytes.
    pub held: u64,
    /// The bound, which only the bytes of one request may exceed.
    pub limit: u64,
    /// The number of cached ranges.
    pub ranges: usize,
}

/// The cached bytes of site files. This is the [`Fetch`] of a storage that cannot wait.
#[derive(Debug)]
pub(crate) struct Held(Mutex<State>);

#[derive(Debug)]
struct State {
    cache: RangeCache,
    /// The requested ranges that are missing.
    missing: BTreeSet<Need>,
}

impl State {
    /// Reads a range. Returns whether it is cached; otherwise records what is missing.
    fn read(&mut self, piece: &Piece, range: &Range<u64>, mut visit: impl FnMut(&[u8])) -> io::Result<()> {
        let mut whole = true;
        self.cache.visit(piece, range, |part| match part {
            RangePart::Cached(bytes) => visit(bytes),
            RangePart::Missing(Range { start: from, end: to }) => {
                whole = false;
                self.missing.insert(Need { path: piece.path.clone(), from, to, bytes: piece.bytes });
            }
        });
        let waiting = || io::Error::new(io::ErrorKind::WouldBlock, "these bytes have not arrived yet");
        if whole { Ok(()) } else { Err(waiting()) }
    }
}

impl Held {
    pub fn new(limit: u64) -> Held {
        Held(Mutex::new(State { cache: RangeCache::new(limit), missing: BTreeSet::new() }))
    }

    /// Ignores poisoning, since a panic ends the module.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds bytes of a piece at an offset.
    pub fn give(&self, path: &str, from: u64, bytes: &[u8]) {
        self.state().cache.add(path, from, bytes);
    }

    /// Begins a request and returns its number; from now on it counts as the user of ranges.
    pub fn begin(&self) -> u64 {
        let mut state = self.state();
        state.missing.clear();
        state.cache.begin()
    }

    /// Resumes a request after more bytes have arrived.
    pub fn go_on(&self, number: u64) {
        let mut state = self.state();
        state.cache.resume(number);
        state.missing.clear();
    }

    /// The ranges that the request is missing.
    pub fn missing(&self) -> Vec<Need> {
        self.state().missing.iter().cloned().collect()
    }

    /// The number of bytes that the request has read or is missing.
    pub fn requested_bytes(&self) -> u64 {
        let state = self.state();
        let read: u64 = state.cache.used().map(|(.., length)| length).sum();
        read + state.missing.iter().map(|need| need.to - need.from).sum::<u64>()
    }

    /// Ends a request and evicts the least recently used ranges until the cache is within the bound. Ranges
    /// read by requests from the number `waiting` on stay, since these will be repeated.
    pub fn end(&self, waiting: u64) {
        self.state().cache.evict(waiting);
    }

    /// Removes and returns all ranges that the request has read, since some of them are damaged.
    pub fn drop_used(&self) -> Vec<Need> {
        let mut state = self.state();
        let need = |(path, from, length): (&str, u64, u64)| Need {
            path: path.to_owned(),
            from,
            to: from + length,
            bytes: length,
        };
        let dropped: Vec<Need> = state.cache.used().map(need).collect();
        dropped.iter().for_each(|need| state.cache.remove(&need.path, need.from));
        dropped
    }

    pub fn held(&self) -> HeldBytes {
        let cache = &self.state().cache;
        HeldBytes { held: cache.bytes(), limit: cache.limit(), ranges: cache.count() }
    }
}

impl Fetch for Held {
    fn fetch(&self, piece: &Piece, range: Range<u64>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.state().read(piece, &range, |part| bytes.extend_from_slice(part))?;
        Ok(bytes)
    }

    fn prepare(&self, ranges: &[(Piece, Range<u64>)]) -> io::Result<()> {
        let mut state = self.state();
        let read = ranges.iter().map(|(piece, range)| state.read(piece, range, |_| ()));
        // All of them are recorded, not only those up to the first that is missing.
        read.fold(Ok(()), io::Result::and)
    }
}
