//! A bounded cache of the bytes of a site's files that the page has fetched. Missing ranges are recorded, so
//! that the page can fetch them and repeat the request.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use retrograde_table::site::{Fetch, Piece};
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
    limit: u64,
    /// The cached ranges, by address and first byte.
    ranges: BTreeMap<(String, u64), HeldRange>,
    bytes: u64,
    /// The requested ranges that are missing.
    missing: BTreeSet<Need>,
    /// The number of the request being answered, and of the latest one.
    question: u64,
    latest: u64,
}

#[derive(Debug)]
struct HeldRange {
    bytes: Box<[u8]>,
    /// The request that read it last.
    used: u64,
}

impl State {
    /// Visits the cached parts of a range, and the gaps between them.
    fn walk(&mut self, piece: &Piece, range: &Range<u64>, mut visit: impl FnMut(&[u8])) -> bool {
        let (mut at, mut whole) = (range.start, true);
        while at < range.end {
            let upto = (piece.path.clone(), at);
            let held = self.ranges.range_mut(..=upto).next_back();
            let held = held
                .filter(|((path, from), held)| *path == piece.path && at < from + held.bytes.len() as u64);
            if let Some(((_, from), held)) = held {
                held.used = held.used.max(self.question);
                let end = range.end.min(from + held.bytes.len() as u64);
                visit(&held.bytes[(at - from) as usize..(end - from) as usize]);
                at = end;
                continue;
            }
            let next = self.ranges.range((piece.path.clone(), at)..).next();
            let next = next.filter(|((path, _), _)| *path == piece.path).map(|((_, from), _)| *from);
            let end = next.map_or(range.end, |from| from.min(range.end));
            self.missing.insert(Need { path: piece.path.clone(), from: at, to: end, bytes: piece.bytes });
            (at, whole) = (end, false);
        }
        whole
    }

    /// The end of the cached range that contains a byte; `None` if the byte is not cached.
    fn held_until(&self, path: &str, at: u64) -> Option<u64> {
        let ((of, from), held) = self.ranges.range(..=(path.to_owned(), at)).next_back()?;
        let end = from + held.bytes.len() as u64;
        (of == path && at < end).then_some(end)
    }

    /// The first byte of the next cached range of a piece, from an offset on.
    fn next_after(&self, path: &str, at: u64) -> Option<u64> {
        let ((of, from), _) = self.ranges.range((path.to_owned(), at)..).next()?;
        (of == path).then_some(*from)
    }

    fn remove(&mut self, key: &(String, u64)) {
        if let Some(held) = self.ranges.remove(key) {
            self.bytes -= held.bytes.len() as u64;
        }
    }
}

fn waiting<T>() -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::WouldBlock, "these bytes have not arrived yet"))
}

impl Held {
    pub fn new(limit: u64) -> Held {
        Held(Mutex::new(State {
            limit,
            ranges: BTreeMap::new(),
            bytes: 0,
            missing: BTreeSet::new(),
            question: 0,
            latest: 0,
        }))
    }

    /// Ignores poisoning, since a panic ends the module.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds bytes of a piece at an offset. Bytes that are already cached are skipped, so that cached ranges
    /// never overlap and each byte is found in the last range that begins before it.
    pub fn give(&self, path: &str, from: u64, bytes: Vec<u8>) {
        let mut state = self.state();
        let (mut at, to) = (from, from + bytes.len() as u64);
        while at < to {
            if let Some(end) = state.held_until(path, at) {
                at = end;
                continue;
            }
            let end = state.next_after(path, at).map_or(to, |next| next.min(to));
            let part: Box<[u8]> = bytes[(at - from) as usize..(end - from) as usize].into();
            let used = state.question;
            state.bytes += part.len() as u64;
            state.ranges.insert((path.to_owned(), at), HeldRange { bytes: part, used });
            at = end;
        }
    }

    /// Begins a request and returns its number; from now on it counts as the user of ranges.
    pub fn begin(&self) -> u64 {
        let mut state = self.state();
        state.latest += 1;
        state.question = state.latest;
        state.missing.clear();
        state.question
    }

    /// Resumes a request after more bytes have arrived.
    pub fn go_on(&self, question: u64) {
        let mut state = self.state();
        state.question = question;
        state.missing.clear();
    }

    /// The ranges that the request is missing.
    pub fn missing(&self) -> Vec<Need> {
        self.state().missing.iter().cloned().collect()
    }

    /// The number of bytes that the request has read or is missing.
    pub fn requested_bytes(&self) -> u64 {
        let state = self.state();
        let used = state.ranges.values().filter(|held| held.used >= state.question);
        let read: u64 = used.map(|held| held.bytes.len() as u64).sum();
        read + state.missing.iter().map(|need| need.to - need.from).sum::<u64>()
    }

    /// Ends a request and evicts the least recently used ranges until the cache is within the bound. Ranges
    /// read by requests from the number `waiting` on stay, since these will be repeated.
    pub fn end(&self, waiting: u64) {
        let mut state = self.state();
        if state.bytes <= state.limit {
            return;
        }
        let mut by_age: Vec<(u64, (String, u64))> =
            state.ranges.iter().map(|(key, held)| (held.used, key.clone())).collect();
        by_age.sort();
        for (_, key) in by_age.into_iter().filter(|(used, _)| *used < waiting) {
            // Frees an extra quarter, so that not every request has to evict ranges.
            if state.bytes <= state.limit / 4 * 3 {
                break;
            }
            state.remove(&key);
        }
    }

    /// Removes and returns all ranges that the request has read, since some of them are damaged.
    pub fn drop_used(&self) -> Vec<Need> {
        let mut state = self.state();
        let question = state.question;
        let used = state.ranges.iter().filter(|(_, held)| held.used >= question);
        let used: Vec<_> = used.map(|(key, held)| (key.clone(), held.bytes.len() as u64)).collect();
        let mut dropped = Vec::with_capacity(used.len());
        for (key, length) in used {
            state.remove(&key);
            let (path, from) = key;
            dropped.push(Need { path, from, to: from + length, bytes: length });
        }
        dropped
    }

    pub fn held(&self) -> HeldBytes {
        let state = self.state();
        HeldBytes { held: state.bytes, limit: state.limit, ranges: state.ranges.len() }
    }
}

impl Fetch for Held {
    fn fetch(&self, piece: &Piece, range: Range<u64>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let whole = self.state().walk(piece, &range, |part| bytes.extend_from_slice(part));
        if whole { Ok(bytes) } else { waiting() }
    }

    fn prepare(&self, ranges: &[(Piece, Range<u64>)]) -> io::Result<()> {
        let mut state = self.state();
        let mut whole = true;
        for (piece, range) in ranges {
            whole &= state.walk(piece, range, |_| ());
        }
        if whole { Ok(()) } else { waiting() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Merged ranges of a page overlap with earlier ranges and with each other.
    #[test]
    fn overlapping_ranges_are_found_in_any_order() {
        let file: Vec<u8> = (0..200).collect();
        let piece = Piece { path: "a".to_owned(), bytes: 200 };
        let ranges = [0..100, 50..60, 40..120, 199..200, 10..11, 55..190];
        for first in 0..ranges.len() {
            let held = Held::new(1 << 20);
            held.begin();
            for number in 0..ranges.len() {
                let range = ranges[(first + number) % ranges.len()].clone();
                held.give("a", range.start as u64, file[range.clone()].to_vec());
                held.give("b", range.start as u64, vec![0; range.len()]);
                let there = held.fetch(&piece, range.start as u64..range.end as u64).unwrap();
                assert_eq!(there, file[range], "{first} {number}");
            }
            assert_eq!(held.held().held, 2 * 191);
            assert!(held.fetch(&piece, 180..195).is_err());
            assert_eq!(held.missing(), [Need { path: "a".to_owned(), from: 190, to: 195, bytes: 200 }]);
        }
    }
}
