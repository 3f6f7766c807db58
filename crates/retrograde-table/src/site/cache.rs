//! A bounded cache of bytes of a site's files, for the clients that read ranges of them.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Piece;

/// Ranges of pieces, with the least recently used evicted first.
#[derive(Debug)]
pub struct RangeCache {
    limit: u64,
    /// The cached ranges, by address and first byte. They never overlap.
    ranges: BTreeMap<(String, u64), CachedRange>,
    bytes: u64,
    /// The number of the request that reads now, and of the latest one.
    now: u64,
    latest: u64,
}

#[derive(Debug)]
struct CachedRange {
    bytes: Box<[u8]>,
    /// The request that read it last.
    used: u64,
}

/// A part of a requested range.
#[derive(Debug)]
pub enum RangePart<'a> {
    /// Cached bytes.
    Cached(&'a [u8]),
    /// The bytes between these offsets are missing.
    Missing(Range<u64>),
}

impl RangeCache {
    /// An empty cache for this number of bytes. Only the bytes of one request may exceed it.
    pub fn new(limit: u64) -> RangeCache {
        RangeCache { limit, ranges: BTreeMap::new(), bytes: 0, now: 0, latest: 0 }
    }

    /// The maximum number of bytes.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// The number of cached bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of cached ranges.
    pub fn count(&self) -> usize {
        self.ranges.len()
    }

    /// Begins a request and returns its number; from now on it counts as the user of ranges.
    pub fn begin(&mut self) -> u64 {
        self.latest += 1;
        self.now = self.latest;
        self.now
    }

    /// Resumes an earlier request.
    pub fn resume(&mut self, request: u64) {
        self.now = request;
    }

    /// Adds bytes of a piece at an offset. Bytes that are already cached are skipped, so that each byte is
    /// found in the last range that begins before it.
    pub fn add(&mut self, path: &str, from: u64, bytes: &[u8]) {
        let (mut at, to) = (from, from + bytes.len() as u64);
        while at < to {
            if let Some(end) = self.cached_until(path, at) {
                at = end;
                continue;
            }
            let end = self.next_from(path, at).map_or(to, |next| next.min(to));
            let part: Box<[u8]> = bytes[(at - from) as usize..(end - from) as usize].into();
            self.bytes += part.len() as u64;
            self.ranges.insert((path.to_owned(), at), CachedRange { bytes: part, used: self.now });
            at = end;
        }
    }

    /// Visits the cached parts of a range, and the gaps between them, in order.
    pub fn visit(&mut self, piece: &Piece, range: &Range<u64>, mut visit: impl FnMut(RangePart<'_>)) {
        let mut at = range.start;
        while at < range.end {
            let held = self.ranges.range_mut(..=(piece.path.clone(), at)).next_back();
            let held = held
                .filter(|((path, from), held)| *path == piece.path && at < from + held.bytes.len() as u64);
            at = if let Some(((_, from), held)) = held {
                held.used = held.used.max(self.now);
                let end = range.end.min(from + held.bytes.len() as u64);
                visit(RangePart::Cached(&held.bytes[(at - from) as usize..(end - from) as usize]));
                end
            } else {
                let end = self.next_from(&piece.path, at).map_or(range.end, |from| from.min(range.end));
                visit(RangePart::Missing(at..end));
                end
            };
        }
    }

    /// The bytes of a range, or the parts of it that are missing.
    ///
    /// # Errors
    /// If bytes are missing.
    pub fn read(&mut self, piece: &Piece, range: &Range<u64>) -> Result<Vec<u8>, Vec<Range<u64>>> {
        let (mut bytes, mut missing) = (Vec::new(), Vec::new());
        self.visit(piece, range, |part| match part {
            RangePart::Cached(part) => bytes.extend_from_slice(part),
            RangePart::Missing(range) => missing.push(range),
        });
        if missing.is_empty() { Ok(bytes) } else { Err(missing) }
    }

    /// The end of the cached range that contains a byte; `None` if the byte is not cached.
    fn cached_until(&self, path: &str, at: u64) -> Option<u64> {
        let ((of, from), held) = self.ranges.range(..=(path.to_owned(), at)).next_back()?;
        let end = from + held.bytes.len() as u64;
        (of == path && at < end).then_some(end)
    }

    /// The first byte of the next cached range of a piece, from an offset on.
    fn next_from(&self, path: &str, at: u64) -> Option<u64> {
        let ((of, from), _) = self.ranges.range((path.to_owned(), at)..).next()?;
        (of == path).then_some(*from)
    }

    /// The ranges that the current request has read: address, first byte and length.
    pub fn used(&self) -> impl Iterator<Item = (&str, u64, u64)> {
        let used = self.ranges.iter().filter(|(_, held)| held.used >= self.now);
        used.map(|((path, from), held)| (&**path, *from, held.bytes.len() as u64))
    }

    /// Removes a range.
    pub fn remove(&mut self, path: &str, from: u64) {
        if let Some(held) = self.ranges.remove(&(path.to_owned(), from)) {
            self.bytes -= held.bytes.len() as u64;
        }
    }

    /// If the cache is full, removes ranges that no request from the number `kept` on has read, the least
    /// recently used first.
    pub fn evict(&mut self, kept: u64) {
        if self.bytes <= self.limit {
            return;
        }
        let mut by_age: Vec<(u64, (String, u64))> =
            self.ranges.iter().map(|(key, held)| (held.used, key.clone())).collect();
        by_age.sort();
        for (_, (path, from)) in by_age.into_iter().filter(|(used, _)| *used < kept) {
            // Frees an extra quarter, so that not every request has to evict ranges.
            if self.bytes <= self.limit / 4 * 3 {
                break;
            }
            self.remove(&path, from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Merged ranges of a client overlap with earlier ranges and with each other.
    #[test]
    fn overlapping_ranges_are_found_in_any_order() {
        let file: Vec<u8> = (0..200).collect();
        let piece = Piece { path: "a".to_owned(), bytes: 200 };
        let ranges = [0..100, 50..60, 40..120, 199..200, 10..11, 55..190];
        for first in 0..ranges.len() {
            let mut cache = RangeCache::new(1 << 20);
            for number in 0..ranges.len() {
                let range = ranges[(first + number) % ranges.len()].clone();
                cache.add("a", range.start as u64, &file[range.clone()]);
                cache.add("b", range.start as u64, &vec![0; range.len()]);
                let there = cache.read(&piece, &(range.start as u64..range.end as u64)).unwrap();
                assert_eq!(there, file[range], "{first} {number}");
            }
            assert_eq!(cache.bytes(), 2 * 191);
            let missing = cache.read(&piece, &(180..195)).unwrap_err();
            assert_eq!(missing, std::slice::from_ref(&(190..195)));
        }
    }
}
