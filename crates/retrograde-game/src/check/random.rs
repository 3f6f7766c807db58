//! A small seeded random number generator (splitmix64): samples and playouts are the same on every
//! machine, and failing tests can be repeated. Not for secrets.

/// A stream of pseudo-random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which must not be 0. The bias is below `end` / 2⁶⁴.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(end)) >> 64) as u64
    }

    /// Shuffles items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end as u64 + 1) as usize);
        }
    }

    /// Swaps a random one of the items from `at` on into place `at` and returns it. Calling it for
    /// 0, 1, 2, … shuffles only the items you need.
    ///
    /// # Panics
    /// If there is no item at `at`.
    pub fn draw<'a, T>(&mut self, items: &'a mut [T], at: usize) -> &'a T {
        let rest = (items.len() - at) as u64;
        items.swap(at, at + self.below(rest) as usize);
        &items[at]
    }

    /// One of the items, or `None` if the list is empty.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len() as u64) as usize) }
    }
}
