//! A bounded in-memory cache of bytes from a host. Ranges that are close together are fetched as
//! one, and several requests run in parallel.
//!
//! Files are cached in chunks of 4 KiB. Commands are short-lived and read small blocks, so there is
//! no cache on disk.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use parking_lot::Mutex;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, UnitWeighter};
use retrograde_table::site::{Fetch, Piece};

/// The size of a chunk in bytes.
const CHUNK: u64 = 4 << 10;
/// The number of chunks to keep: 64 MiB.
const KEPT: usize = 16 << 10;
/// Missing chunks with at most this many others between them are fetched as one range, since
/// another request takes longer than these bytes.
const GAP: u64 = 4;
/// The maximum number of chunks per request.
const MAX_CHUNKS: u64 = 256;
/// The number of parallel requests.
const PARALLEL_REQUESTS: usize = 8;

/// Consecutive bytes of a file, from an offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub from: u64,
    pub bytes: Vec<u8>,
}

/// A source of bytes.
pub(super) trait Host: Send + Sync + Debug {
    /// Fetches a range of a piece. A host without byte ranges may return more.
    fn get(&self, piece: &Piece, range: Range<u64>) -> io::Result<Part>;
}

/// A host with a cache.
#[derive(Debug)]
pub(super) struct CachedFetch {
    host: Arc<dyn Host>,
    chunks: Cache<Key, Arc<[u8]>>,
    max_chunks: usize,
}

/// The file and number of a chunk.
type Key = (Arc<str>, u64);

/// A piece, and the chunks of it that one request fetches.
type Run<'a> = (&'a Piece, Range<u64>);

impl CachedFetch {
    pub(super) fn new(host: Arc<dyn Host>) -> CachedFetch {
        CachedFetch::keeping(host, KEPT)
    }

    /// Creates a cache of at most `max_chunks` chunks.
    fn keeping(host: Arc<dyn Host>, max_chunks: usize) -> CachedFetch {
        // Half of it is for chunks that were read once. By default that is a few per cent, and an announcement
        // would evict its own first chunks.
        let options = OptionsBuilder::new()
            .estimated_items_capacity(max_chunks)
            .weight_capacity(max_chunks as u64)
            .hot_allocation(0.5)
            .shards(1)
            .build();
        let chunks = match options {
            Ok(options) => Cache::with_options(
                options,
                UnitWeighter,
                DefaultHashBuilder::default(),
                DefaultLifecycle::default(),
            ),
            Err(_) => Cache::new(max_chunks),
        };
        CachedFetch { host, chunks, max_chunks }
    }

    /// The runs of chunks that ranges need and that are not cached, ordered by file and offset.
    fn missing<'a>(&self, ranges: impl Iterator<Item = (&'a Piece, Range<u64>)>) -> Vec<Run<'a>> {
        let mut wanted: BTreeMap<&Piece, Vec<u64>> = BTreeMap::new();
        for (piece, range) in ranges {
            let name: Arc<str> = piece.path.as_str().into();
            let numbers = range.start / CHUNK..range.end.div_ceil(CHUNK);
            let missing = numbers.filter(|&number| self.chunks.get(&(Arc::clone(&name), number)).is_none());
            wanted.entry(piece).or_default().extend(missing);
        }
        let mut runs: Vec<Run<'a>> = Vec::new();
        for (piece, mut numbers) in wanted {
            numbers.sort_unstable();
            for number in numbers {
                match runs.last_mut() {
                    Some((of, run))
                        if *of == piece && number <= run.end + GAP && number < run.start + MAX_CHUNKS =>
                    {
                        run.end = run.end.max(number + 1);
                    }
                    _ => runs.push((piece, number..number + 1)),
                }
            }
        }
        runs
    }

    /// Fetches a run, caches its chunks, and returns its bytes.
    fn load(&self, (piece, run): &Run<'_>) -> io::Result<Part> {
        let range = run.start * CHUNK..(run.end * CHUNK).min(piece.bytes);
        let part = self.host.get(piece, range.clone())?;
        let end = part.from.saturating_add(part.bytes.len() as u64);
        if part.from > range.start || end < range.end || end > piece.bytes {
            let message = format!("the host sent the wrong bytes of “{}”", piece.path);
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let name: Arc<str> = piece.path.as_str().into();
        // Only complete chunks are cached. The last one ends with the file.
        for number in part.from.div_ceil(CHUNK)..end.div_ceil(CHUNK) {
            let (start, stop) = (number * CHUNK, ((number + 1) * CHUNK).min(piece.bytes));
            if stop <= end {
                let bytes = &part.bytes[(start - part.from) as usize..(stop - part.from) as usize];
                self.chunks.insert((Arc::clone(&name), number), bytes.into());
            }
        }
        Ok(part)
    }

    /// Fetches runs in parallel.
    fn load_all(&self, runs: &[Run<'_>]) -> io::Result<Vec<Part>> {
        let rest = Mutex::new(runs.iter());
        let next = || rest.lock().next();
        let work = || -> io::Result<Vec<Part>> {
            let mut parts = Vec::new();
            while let Some(run) = next() {
                // After a failure, the other runs are not needed.
                parts.push(self.load(run).inspect_err(|_| *rest.lock() = [].iter())?);
            }
            Ok(parts)
        };
        std::thread::scope(|scope| {
            // If a thread does not start, the others do its work.
            let start = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
            let others: Vec<_> = (1..PARALLEL_REQUESTS.min(runs.len())).filter_map(start).collect();
            let mut parts = work()?;
            for other in others {
                parts.extend(other.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))?);
            }
            Ok(parts)
        })
    }
}

impl Fetch for CachedFetch {
    fn fetch(&self, piece: &Piece, range: Range<u64>) -> io::Result<Vec<u8>> {
        let runs = self.missing(std::iter::once((piece, range.clone())));
        let parts = self.load_all(&runs)?;
        let mut bytes = Vec::with_capacity((range.end - range.start) as usize);
        let name: Arc<str> = piece.path.as_str().into();
        for number in range.start / CHUNK..range.end.div_ceil(CHUNK) {
            let chunk = (number * CHUNK).max(range.start)..((number + 1) * CHUNK).min(range.end);
            let holds =
                |part: &&Part| part.from <= chunk.start && chunk.end <= part.from + part.bytes.len() as u64;
            let mut add = |from: u64, held: &[u8]| {
                bytes.extend_from_slice(&held[(chunk.start - from) as usize..(chunk.end - from) as usize]);
            };
            // The cache may have evicted chunks in the meantime, so `parts` comes first.
            if let Some(part) = parts.iter().find(holds) {
                add(part.from, &part.bytes);
            } else if let Some(kept) = self.chunks.get(&(Arc::clone(&name), number)) {
                add(number * CHUNK, &kept);
            } else {
                let part = self.load(&(piece, number..number + 1))?;
                add(part.from, &part.bytes);
            }
        }
        Ok(bytes)
    }

    fn prepare(&self, ranges: &[(Piece, Range<u64>)]) -> io::Result<()> {
        let mut runs = self.missing(ranges.iter().map(|(piece, range)| (piece, range.clone())));
        // Chunks that do not fit are fetched when they are needed.
        let mut room = self.max_chunks as u64 / 2;
        runs.retain(|(_, run)| {
            let fits = run.end - run.start <= room;
            room = room.saturating_sub(run.end - run.start);
            fits
        });
        self.load_all(&runs).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file in memory that records requests.
    #[derive(Debug)]
    struct Memory {
        bytes: Vec<u8>,
        requested: Mutex<Vec<Range<u64>>>,
        /// Whether it only serves whole files.
        whole: bool,
    }

    impl Host for Memory {
        fn get(&self, piece: &Piece, range: Range<u64>) -> io::Result<Part> {
            assert!(range.start < range.end && range.end <= piece.bytes);
            self.requested.lock().push(range.clone());
            if self.whole {
                return Ok(Part { from: 0, bytes: self.bytes.clone() });
            }
            let bytes = self.bytes[range.start as usize..range.end as usize].to_vec();
            Ok(Part { from: range.start, bytes })
        }
    }

    fn memory(length: u64, whole: bool) -> (Arc<Memory>, Piece) {
        let bytes = (0..length).map(|at| (at % 251) as u8).collect();
        let host = Memory { bytes, requested: Mutex::default(), whole };
        (Arc::new(host), Piece { path: "a".to_owned(), bytes: length })
    }

    #[test]
    fn ranges_match_the_file_for_any_cache_size() {
        for (length, whole, max_chunks) in
            [(1, false, 9), (4096, false, 1), (50_000, false, 3), (50_000, true, 2), (300_001, false, 64)]
        {
            let (host, piece) = memory(length, whole);
            let cache = CachedFetch::keeping(host.clone(), max_chunks);
            let mut at = 1;
            for _ in 0..300 {
                at = at * 48_271 % 2_147_483_647;
                let from = at % length;
                let to = (from + 1 + at / 7 % 30_000).min(length);
                if at % 3 == 0 {
                    cache.prepare(&[(piece.clone(), from..to), (piece.clone(), 0..1)]).unwrap();
                }
                let found = cache.fetch(&piece, from..to).unwrap();
                assert!(found == host.bytes[from as usize..to as usize], "{from}..{to} of {length}");
                assert!(cache.chunks.len() <= max_chunks);
            }
        }
    }

    #[test]
    fn announced_ranges_are_merged_and_fetched_once() {
        let (host, piece) = memory(1 << 20, false);
        let cache = CachedFetch::new(host.clone());
        let wanted = [0..10, 5000..5010, 20_000..30_000, 900_000..900_001];
        let ranges: Vec<_> = wanted.iter().map(|range| (piece.clone(), range.clone())).collect();
        cache.prepare(&ranges).unwrap();
        let mut requested = host.requested.lock().clone();
        requested.sort_unstable_by_key(|range| range.start);
        assert_eq!(requested, [0..8 * CHUNK, 219 * CHUNK..220 * CHUNK]);
        cache.prepare(&ranges).unwrap();
        for (piece, range) in &ranges {
            cache.fetch(piece, range.clone()).unwrap();
        }
        assert_eq!(host.requested.lock().len(), 2, "requested twice");
    }

    #[test]
    fn what_was_announced_stays_when_the_cache_is_full() {
        let (host, piece) = memory(1 << 20, false);
        let cache = CachedFetch::keeping(host.clone(), 64);
        for start in (0..128).map(|number| number * CHUNK) {
            cache.fetch(&piece, start..start + 1).unwrap();
        }
        let announced = (128 * CHUNK)..(160 * CHUNK);
        cache.prepare(&[(piece.clone(), announced.clone())]).unwrap();
        let before = host.requested.lock().len();
        cache.fetch(&piece, announced).unwrap();
        assert_eq!(host.requested.lock().len(), before);
    }

    #[test]
    fn wrong_or_missing_bytes_from_a_host_are_an_error() {
        #[derive(Debug)]
        struct Liar(Option<Part>);
        impl Host for Liar {
            fn get(&self, _: &Piece, _: Range<u64>) -> io::Result<Part> {
                self.0.clone().ok_or_else(|| io::Error::other("gone"))
            }
        }
        let piece = Piece { path: "a".to_owned(), bytes: 10_000 };
        for (from, length) in [(1, 9_999), (0, 4), (0, 10_001), (u64::MAX, 10_000)] {
            let cache = CachedFetch::new(Arc::new(Liar(Some(Part { from, bytes: vec![0; length] }))));
            assert!(cache.fetch(&piece, 0..10).unwrap_err().to_string().contains("“a”"), "{from} {length}");
        }
        let cache = CachedFetch::new(Arc::new(Liar(None)));
        let far = [(piece.clone(), 0..1), (Piece { path: "b".to_owned(), ..piece.clone() }, 0..1)];
        assert_eq!(cache.prepare(&far).unwrap_err().to_string(), "gone");
        assert!(cache.fetch(&piece, 0..9_000).is_err());
    }
}
