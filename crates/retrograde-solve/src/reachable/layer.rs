//! The positions of one grade: sorted keys, a directory for finding them, and their scores.
//!
//! A lookup misses the caches three times: in the directory, the keys and the scores. Lookups are therefore
//! batched in three passes, each of which prefetches what the next one reads.

use crate::job::Scores;
use crate::prefetch::prefetch;

/// The approximate number of keys per entry of the directory.
const PER_ENTRY: usize = 8;

/// The bytes per key with its share of the directory, without its score.
pub(crate) const BYTES_A_KEY: u64 = 8 + 8 / PER_ENTRY as u64;

/// Sorted unique keys, with the place of the first key for each prefix.
pub(crate) struct Layer {
    pub grade: u64,
    pub keys: Vec<u64>,
    pub scores: Scores,
    begins: Vec<u64>,
    shift: u32,
}

impl Layer {
    /// Creates a layer without scores from sorted unique keys.
    pub fn new(grade: u64, keys: Vec<u64>) -> Layer {
        let bits = (keys.len() / PER_ENTRY).checked_ilog2().unwrap_or(0).max(1);
        let shift = 64 - bits;
        let mut begins = Vec::with_capacity((1 << bits) + 1);
        for (at, key) in keys.iter().enumerate() {
            while begins.len() as u64 <= key >> shift {
                begins.push(at as u64);
            }
        }
        begins.resize((1 << bits) + 1, keys.len() as u64);
        Layer { grade, keys, scores: Scores::Narrow(Vec::new()), begins, shift }
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> u64 {
        (self.keys.len() + self.begins.len()) as u64 * 8 + self.scores.bytes()
    }

    /// Prefetches the directory entry of a key.
    #[inline]
    pub fn prefetch_entry(&self, key: u64) {
        prefetch(&self.begins, (key >> self.shift) as usize);
    }

    /// Prefetches the keys near a key, and their scores.
    #[inline]
    pub fn prefetch_keys(&self, key: u64) {
        let at = self.begins[(key >> self.shift) as usize] as usize;
        prefetch(&self.keys, at);
        match &self.scores {
            Scores::Narrow(scores) => prefetch(scores, at),
            Scores::Wide(scores) => prefetch(scores, at),
        }
    }

    /// The place of a key, if the layer contains it.
    #[inline]
    pub fn place(&self, key: u64) -> Option<usize> {
        let entry = (key >> self.shift) as usize;
        let (from, to) = (self.begins[entry] as usize, self.begins[entry + 1] as usize);
        Some(from + self.keys[from..to].iter().position(|&known| known == key)?)
    }

    /// The score of a key, if the layer contains it.
    #[inline]
    pub fn score(&self, key: u64) -> Option<u16> {
        Some(self.scores.wide(self.place(key)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_found_and_no_other() {
        for count in [0, 1, 7, 8, 9, 100, 1000] {
            let mut random = retrograde_game::Random::new(count);
            let mut keys: Vec<u64> = (0..count).map(|_| random.bits()).chain([0, u64::MAX]).collect();
            keys.sort_unstable();
            keys.dedup();
            let mut layer = Layer::new(0, keys.clone());
            layer.scores = Scores::packed((0..keys.len() as u16).collect());
            for (at, &key) in keys.iter().enumerate() {
                assert_eq!(layer.score(key), Some(at as u16));
                layer.prefetch_entry(key);
                layer.prefetch_keys(key);
                assert_eq!(layer.score(key ^ 1), keys.binary_search(&(key ^ 1)).ok().map(|at| at as u16));
            }
        }
    }
}
