//! Keys that wait for their grade's turn, in sets by prefix, each of which fits into the cache.
//!
//! The successors of a batch of positions are first divided by prefix and then added part by part, so that
//! memory is accessed in order.

use rayon::prelude::*;

use super::key_set::KeySet;
use super::tasks::TASK;

/// The number of bits of the prefix.
const PART_BITS: u32 = 8;
/// The waiting keys of a grade.
pub(crate) struct Waiting(Vec<KeySet>);

impl Waiting {
    pub fn new() -> Waiting {
        Waiting((0..1 << PART_BITS).map(|_| KeySet::default()).collect())
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> u64 {
        (self.0.len() * size_of::<KeySet>()) as u64 + self.key_bytes()
    }

    /// The bytes of the keys, without the overhead of empty sets.
    pub fn key_bytes(&self) -> u64 {
        self.0.iter().map(KeySet::bytes).sum()
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.0.iter().map(KeySet::len).sum()
    }

    /// The keys, in any order.
    pub fn keys(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().flat_map(KeySet::keys)
    }

    /// Adds keys, part by part.
    pub fn add(&mut self, pool: &crate::Pool, found: &[DividedKeys]) {
        let add = |(part, set): (usize, &mut KeySet)| {
            found.iter().for_each(|found| set.extend(found.part(part), PART_BITS));
        };
        if found.iter().map(DividedKeys::len).sum::<usize>() <= TASK {
            self.0.iter_mut().enumerate().for_each(add);
        } else {
            pool.install(|| self.0.par_iter_mut().enumerate().for_each(add));
        }
    }

    /// Adds keys, part by part. Returns the ones that are new, by part.
    pub fn add_new(&mut self, pool: &crate::Pool, found: &[DividedKeys]) -> Vec<Vec<u64>> {
        let add = |(part, set): (usize, &mut KeySet)| {
            let keys = found.iter().flat_map(|found| found.part(part));
            keys.copied().filter(|&key| set.insert(key, PART_BITS)).collect()
        };
        if found.iter().map(DividedKeys::len).sum::<usize>() <= TASK {
            return self.0.iter_mut().enumerate().map(add).collect();
        }
        pool.install(|| self.0.par_iter_mut().enumerate().map(add).collect())
    }

    /// The sorted keys of each part.
    pub fn into_parts(self) -> impl Iterator<Item = Vec<u64>> {
        self.0.into_iter().map(KeySet::into_sorted)
    }

    /// All keys, sorted, part by part on all threads.
    pub fn into_sorted(self, pool: &crate::Pool) -> Vec<u64> {
        let mut all = vec![0; self.len()];
        let mut rest = &mut all[..];
        let mut parts = Vec::with_capacity(self.0.len());
        for set in self.0 {
            let (part, behind) = rest.split_at_mut(set.len());
            rest = behind;
            parts.push((set, part));
        }
        let sort = |(set, part): (KeySet, &mut [u64])| part.copy_from_slice(&set.into_sorted());
        if parts.iter().map(|(_, part)| part.len()).sum::<usize>() <= TASK {
            parts.into_iter().for_each(sort);
        } else {
            pool.install(|| parts.into_par_iter().for_each(sort));
        }
        all
    }
}

/// Keys divided by prefix.
pub struct DividedKeys {
    keys: Vec<u64>,
    ends: Vec<u32>,
}

impl DividedKeys {
    /// Divides keys, which can be in any order.
    pub fn new(keys: &[u64]) -> DividedKeys {
        let part = |key: u64| (key >> (64 - PART_BITS)) as usize;
        let mut at = vec![0_u32; (1 << PART_BITS) + 1];
        keys.iter().for_each(|&key| at[part(key) + 1] += 1);
        for part in 1..at.len() {
            at[part] += at[part - 1];
        }
        let mut divided = vec![0; keys.len()];
        for &key in keys {
            let at = &mut at[part(key)];
            divided[*at as usize] = key;
            *at += 1;
        }
        DividedKeys { keys: divided, ends: at }
    }

    /// The number of keys, including duplicates.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    fn part(&self, part: usize) -> &[u64] {
        let from = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.keys[from as usize..self.ends[part] as usize]
    }
}
