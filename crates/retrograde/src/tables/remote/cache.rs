//! A bounded in-memory cache of bytes from a host. Ranges that are close together are fetched as
//! one, and several requests run in parallel.
//!
//! Commands are short-lived and read small blocks, so there is no cache on disk.

use std::fmt::Debug;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use parking_lot::Mutex;
use retrograde_table::site::{Fetch, Piece, RangeCache};

/// Requests begin and end at multiples of this many bytes.
const CHUNK: u64 = 4 << 10;
/// The number of bytes to keep.
const KEPT: u64 = 64 << 20;
/// Missing ranges with at most this many bytes between them are fetched as one, since another request takes
/// longer than these bytes.
const GAP: u64 = 4 * CHUNK;
/// The maximum number of bytes per request.
const MAX_BYTES: u64 = 256 * CHUNK;
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
    cache: Mutex<RangeCache>,
}

/// A range of a piece that one request fetches.
type Run<'a> = (&'a Piece, Range<u64>);

impl CachedFetch {
    pub(super) fn new(host: Arc<dyn Host>) -> CachedFetch {
        CachedFetch::keeping(host, KEPT)
    }

    /// Creates a cache of at most this many bytes.
    fn keeping(host: Arc<dyn Host>, bytes: u64) -> CachedFetch {
        CachedFetch { host, cache: Mutex::new(RangeCache::new(bytes)) }
    }

    /// The requests for the ranges that are missing, ordered by file and offset.
    fn missing<'a>(&self, wanted: impl Iterator<Item = (&'a Piece, Range<u64>)>) -> Vec<Run<'a>> {
        let mut cache = self.cache.lock();
        let mut missing: Vec<Run<'a>> = Vec::new();
        for (piece, range) in wanted {
            let chunks = range.start / CHUNK * CHUNK..range.end.next_multiple_of(CHUNK).min(piece.bytes);
            let gaps = cache.read(piece, &chunks).err().unwrap_or_default();
            for gap in gaps {
                let starts = (gap.start..gap.end).step_by(MAX_BYTES as usize);
                missing.extend(starts.map(|start| (piece, start..(start + MAX_BYTES).min(gap.end))));
            }
        }
        missing.sort_by(|(a, one), (b, other)| (a, one.start).cmp(&(b, other.start)));
        let mut runs: Vec<Run<'a>> = Vec::new();
        for (piece, gap) in missing {
            match runs.last_mut() {
                Some((of, run))
                    if *of == piece && gap.start <= run.end + GAP && gap.end <= run.start + MAX_BYTES =>
                {
                    run.end = run.end.max(gap.end);
                }
                _ => runs.push((piece, gap)),
            }
        }
        runs
    }

    /// Fetches a run and caches its bytes.
    fn load(&self, (piece, run): &Run<'_>) -> io::Result<()> {
        let Part { from, bytes } = self.host.get(piece, run.clone())?;
        let end = from.saturating_add(bytes.len() as u64);
        if from > run.start || end < run.end || end > piece.bytes {
            let message = format!("the host sent the wrong bytes of “{}”", piece.path);
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        self.cache.lock().add(&piece.path, from, &bytes);
        Ok(())
    }

    /// Fetches runs in parallel.
    fn load_all(&self, runs: &[Run<'_>]) -> io::Result<()> {
        let rest = Mutex::new(runs.iter());
        let next = || rest.lock().next();
        let work = || -> io::Result<()> {
            while let Some(run) = next() {
                // After a failure, the other runs are not needed.
                self.load(run).inspect_err(|_| *rest.lock() = [].iter())?;
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            // If a thread does not start, the others do its work.
            let start = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
            let others: Vec<_> = (1..PARALLEL_REQUESTS.min(runs.len())).filter_map(start).collect();
            work()?;
            let mut ended = others.into_iter().map(|other| other.join());
            ended.try_for_each(|end| end.unwrap_or_else(|_| Err(io::ErrorKind::Other.into())))
        })
    }
}

impl Fetch for CachedFetch {
    fn fetch(&self, piece: &Piece, range: Range<u64>) -> io::Result<Vec<u8>> {
        self.cache.lock().begin();
        loop {
            let read = self.cache.lock().read(piece, &range);
            if let Ok(bytes) = read {
                self.cache.lock().evict(u64::MAX);
                return Ok(bytes);
            }
            // Another thread may evict the bytes before they are read.
            self.load_all(&self.missing(std::iter::once((piece, range.clone()))))?;
        }
    }

    fn prepare(&self, ranges: &[(Piece, Range<u64>)]) -> io::Result<()> {
        self.cache.lock().begin();
        let mut runs = self.missing(ranges.iter().map(|(piece, range)| (piece, range.clone())));
        // The rest is fetched when it is needed.
        let mut room = self.cache.lock().limit() / 2;
        runs.retain(|(_, run)| {
            let fits = run.end - run.start <= room;
            room = room.saturating_sub(run.end - run.start);
            fits
        });
        self.load_all(&runs)?;
        self.cache.lock().evict(u64::MAX);
        Ok(())
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
        for (length, whole, chunks) in
            [(1, false, 9), (4096, false, 1), (50_000, false, 3), (50_000, true, 2), (300_001, false, 64)]
        {
            let (host, piece) = memory(length, whole);
            let cache = CachedFetch::keeping(host.clone(), chunks * CHUNK);
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
                assert!(cache.cache.lock().bytes() <= chunks * CHUNK);
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
        let cache = CachedFetch::keeping(host.clone(), 64 * CHUNK);
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
