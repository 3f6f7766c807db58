//! A set of evenly spread keys that is almost sorted: a key is stored at the place given by its share of the
//! whole range, or at the next free one. The set is as fast as a hash table, and its keys come out sorted
//! without a sort.

/// The keys of one part.
#[derive(Default)]
pub(super) struct KeySet {
    /// Keys at or after their places; 0 is an empty slot. There are a few slots after the last place.
    slots: Vec<u64>,
    /// The number of places.
    places: usize,
    len: usize,
    has_zero: bool,
}

/// The number of slots after the last place.
const BEHIND: usize = 32;
/// The number of places of the smallest set.
const FEWEST: usize = 32;

impl KeySet {
    /// The number of keys.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> u64 {
        self.slots.capacity() as u64 * 8
    }

    /// The place of a key. All keys of the set share their upper `skipped` bits.
    #[inline]
    fn place(key: u64, skipped: u32, places: usize) -> usize {
        ((u128::from(key << skipped) * places as u128) >> 64) as usize
    }

    /// Adds keys that share their upper `skipped` bits.
    pub fn extend(&mut self, keys: &[u64], skipped: u32) {
        for &key in keys {
            self.insert(key, skipped);
        }
    }

    /// Adds a key. Returns whether it is new.
    #[inline]
    pub fn insert(&mut self, key: u64, skipped: u32) -> bool {
        if key == 0 {
            let new = !self.has_zero;
            self.len += usize::from(new);
            self.has_zero = true;
            return new;
        }
        let mut at = KeySet::place(key, skipped, self.places);
        while let Some(&slot) = self.slots.get(at) {
            if slot == key {
                return false;
            }
            if slot == 0 {
                break;
            }
            at += 1;
        }
        self.put(at, key);
        self.len += 1;
        if self.len * 5 > self.places * 4 {
            self.grow(skipped);
        }
        true
    }

    /// Puts a key into a free slot, or at the end.
    #[inline]
    fn put(&mut self, at: usize, key: u64) {
        match self.slots.get_mut(at) {
            Some(slot) => *slot = key,
            None => self.slots.push(key),
        }
    }

    #[cold]
    fn grow(&mut self, skipped: u32) {
        self.places = (self.places + self.places / 2).max(FEWEST);
        let old = std::mem::replace(&mut self.slots, vec![0; self.places + BEHIND]);
        for key in old.into_iter().filter(|&key| key != 0) {
            let mut at = KeySet::place(key, skipped, self.places);
            while self.slots.get(at).is_some_and(|&slot| slot != 0) {
                at += 1;
            }
            self.put(at, key);
        }
    }

    /// The keys, in any order.
    pub fn keys(&self) -> impl Iterator<Item = u64> + '_ {
        let zero = self.has_zero.then_some(0);
        zero.into_iter().chain(self.slots.iter().copied().filter(|&key| key != 0))
    }

    /// The keys, in order.
    pub fn into_sorted(self) -> Vec<u64> {
        let mut keys = Vec::with_capacity(self.len);
        if self.has_zero {
            keys.push(0);
        }
        for key in self.slots.into_iter().filter(|&key| key != 0) {
            // Almost always it is greater than the last one.
            let mut at = keys.len();
            while at > 0 && keys[at - 1] > key {
                at -= 1;
            }
            keys.insert(at, key);
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde_game::Random;
    use std::collections::BTreeSet;

    #[test]
    fn it_holds_what_a_tree_holds_whatever_the_keys() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let skipped = [0, 8][seed as usize % 2];
            let upper = random.bits() & !(u64::MAX >> skipped);
            let mut set = KeySet::default();
            let mut tree = BTreeSet::new();
            for _ in 0..random.below(3000) {
                let key = match seed % 4 {
                    // Evenly spread, clustered, at the very end, and few distinct ones.
                    0 => random.bits() & u64::MAX >> skipped,
                    1 => random.below(5000),
                    2 => (u64::MAX >> skipped) - random.below(5000),
                    _ => random.below(20) << 50,
                };
                let new = tree.insert(upper | key);
                match seed % 3 {
                    0 => set.extend(&[upper | key], skipped),
                    _ => assert_eq!(set.insert(upper | key, skipped), new),
                }
            }
            assert_eq!(set.len(), tree.len());
            assert_eq!(set.keys().collect::<BTreeSet<_>>(), tree);
            assert_eq!(set.keys().count(), tree.len());
            assert_eq!(set.into_sorted(), tree.into_iter().collect::<Vec<_>>(), "seed {seed}");
        }
    }
}
