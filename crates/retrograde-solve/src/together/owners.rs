//! Assigns reachable positions to processes by key, in proportion to their threads.
//!
//! Sets and directories of keys use the upper bits to find places. Ownership must be independent of
//! these bits, so that the keys of one process are as evenly spread as all keys.

/// Maps keys to their owners.
pub(super) struct Owners(Vec<u32>);

/// An odd multiplier that mixes well (from the hash function wyhash).
const SPREAD: u64 = 0xe703_7ed1_a0b4_28db;

impl Owners {
    /// Takes the number of threads of each process; 0 counts as 1.
    pub fn new(threads: &[u32]) -> Owners {
        let each = (0..).zip(threads);
        Owners(each.flat_map(|(process, &own)| (0..own.max(1)).map(move |_| process)).collect())
    }

    /// Returns the owner of a key.
    #[inline]
    pub fn of(&self, key: u64) -> usize {
        let mixed = (key ^ key >> 32).wrapping_mul(SPREAD);
        self.0[((u128::from(mixed) * self.0.len() as u128) >> 64) as usize] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reachable::key_of;

    #[test]
    fn every_process_owns_its_share_in_all_parts_of_the_keys() {
        for threads in [&[1][..], &[1, 1], &[2, 0, 1], &[1, 3, 1, 2]] {
            let owners = Owners::new(threads);
            let total: u32 = threads.iter().map(|&own| own.max(1)).sum();
            for shift in [0, 20, 40] {
                let mut counts = vec![[0_u32; 4]; threads.len()];
                for code in 0..1_u64 << 16 {
                    let key = key_of(code << shift);
                    counts[owners.of(key)][(key >> 62) as usize] += 1;
                }
                for (count, &own) in counts.iter().zip(threads) {
                    let fair = (1 << 14) * own.max(1) / total;
                    let near = |count: &u32| count.abs_diff(fair) < fair / 10;
                    assert!(count.iter().all(near), "{threads:?}, {shift}: {count:?} instead of {fair}");
                }
            }
        }
    }
}
