//! Outcomes of sums, by fingerprints of 120 bits. The size of the table is bounded, and cheap entries are
//! replaced first.
//!
//! Positions would not do as keys, since many positions with the same parts share an entry. Among 10⁹ sums,
//! two have the same fingerprint by chance with a probability below 10⁻¹⁸. Checking a strategy does not use
//! fingerprints.

/// The number of entries per bucket.
const BUCKET: usize = 4;
/// The low bits of an entry, which are not part of the fingerprint: whether the side to move loses, and the
/// logarithm of the work.
const LOW: u128 = 0xff;
/// The initial number of buckets.
const FIRST: usize = 1 << 10;

/// The table. An entry of 0 is empty.
pub(super) struct OutcomeTable {
    buckets: Vec<[u128; BUCKET]>,
    filled: usize,
    most: usize,
}

impl OutcomeTable {
    /// Creates an empty table, which grows to at most `bytes` bytes.
    pub(super) fn new(bytes: u64) -> OutcomeTable {
        let most = usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<[u128; BUCKET]>();
        // The old and the new table exist at the same time.
        OutcomeTable { buckets: vec![[0; BUCKET]; FIRST], filled: 0, most: (most * 2 / 3).max(FIRST) }
    }

    fn bucket(&self, fingerprint: u128) -> usize {
        (((fingerprint >> 64) * self.buckets.len() as u128) >> 64) as usize
    }

    /// Whether the side to move loses a sum, if known.
    pub(super) fn get(&self, fingerprint: u128) -> Option<bool> {
        let same = |entry: &&u128| **entry & !LOW == fingerprint & !LOW && **entry != 0;
        let bucket = &self.buckets[self.bucket(fingerprint)];
        bucket.iter().find(same).map(|entry| entry & 1 == 1)
    }

    /// Stores a result that took `work` visited positions.
    pub(super) fn put(&mut self, fingerprint: u128, lost: bool, work: u64) {
        if self.filled > self.buckets.len() * 3 && self.buckets.len() < self.most {
            self.grow();
        }
        // The work is at least one, so no entry is 0.
        let work = 1 + u128::from((work + 1).ilog2());
        self.insert(fingerprint & !LOW | work << 1 | u128::from(lost));
    }

    fn insert(&mut self, new: u128) {
        let at = self.bucket(new);
        let bucket = &mut self.buckets[at];
        let same = bucket.iter().position(|entry| entry & !LOW == new & !LOW && *entry != 0);
        let place = same.unwrap_or_else(|| {
            let cheapest = (0..BUCKET).min_by_key(|&place| bucket[place] & LOW);
            cheapest.unwrap_or(0)
        });
        self.filled += usize::from(bucket[place] == 0);
        bucket[place] = new;
    }

    fn grow(&mut self) {
        let wanted = (self.buckets.len() * 2).min(self.most);
        let old = std::mem::replace(&mut self.buckets, vec![[0; BUCKET]; wanted]);
        self.filled = 0;
        for entry in old.into_iter().flatten().filter(|entry| *entry != 0) {
            self.insert(entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(number: u128) -> u128 {
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834) | 0xff
    }

    #[test]
    fn a_table_forgets_but_never_mistakes() {
        let mut table = OutcomeTable::new(0);
        for number in 1..20_000_u128 {
            table.put(fingerprint(number), number % 3 == 0, number as u64 % 50);
        }
        let known: Vec<u128> = (1..40_000).filter(|&n| table.get(fingerprint(n)).is_some()).collect();
        assert!(known.len() > 2000 && known.len() <= FIRST * BUCKET);
        assert!(known.iter().all(|&n| n < 20_000 && table.get(fingerprint(n)) == Some(n % 3 == 0)));
    }

    #[test]
    fn a_table_with_room_forgets_little() {
        let mut table = OutcomeTable::new(1 << 24);
        for number in 1..20_000_u128 {
            table.put(fingerprint(number), number % 3 == 0, 1);
        }
        let known = (1..20_000).filter(|&n| table.get(fingerprint(n)) == Some(n % 3 == 0)).count();
        assert!(known > 19_000, "{known}");
        assert!(table.buckets.len() * size_of::<[u128; BUCKET]>() <= 1 << 24);
    }
}
