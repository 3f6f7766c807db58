//! Tells whether a set contains a pattern, such as a line of a board, with one lookup per eight squares instead
//! of one comparison per pattern.

/// Sets of squares to look for in larger sets.
///
/// ```
/// use retrograde_index::Patterns;
///
/// // The rows of a board of three by three squares.
/// let rows = Patterns::new(&[0b111, 0b111_000, 0b111_000_000]);
/// assert!(rows.any_in(0b010_111_001));
/// assert!(!rows.any_in(0b110_011_110));
/// ```
#[derive(Clone, Debug)]
pub struct Patterns {
    /// For up to 64 patterns each, by the number of a byte of a set and its value: the patterns whose squares in
    /// this byte are in the set, as bits. Bytes without a square of a pattern at the end are left out.
    groups: Vec<Vec<[u64; 256]>>,
}

impl Patterns {
    /// Prepares some patterns. Any set contains the empty one.
    pub fn new(patterns: &[u64]) -> Patterns {
        Patterns { groups: patterns.chunks(64).map(group).collect() }
    }

    /// Whether a set contains one of the patterns.
    #[inline]
    pub fn any_in(&self, set: u64) -> bool {
        let bytes = set.to_le_bytes();
        self.groups.iter().any(|group| {
            let lookups = group.iter().zip(bytes).map(|(within, byte)| within[usize::from(byte)]);
            lookups.fold(u64::MAX, |all, patterns| all & patterns) != 0
        })
    }
}

fn group(patterns: &[u64]) -> Vec<[u64; 256]> {
    let squares = patterns.iter().fold(0, |all, pattern| all | pattern);
    let bytes = (64 - squares.leading_zeros()).div_ceil(8).max(1);
    let within = |byte: u32| {
        std::array::from_fn(|value| {
            let missing = |pattern: u64| pattern >> (8 * byte) & 0xff & !(value as u64);
            let bits = patterns.iter().enumerate().filter(|&(_, &pattern)| missing(pattern) == 0);
            bits.fold(0, |bits, (at, _)| bits | 1 << at)
        })
    };
    (0..bytes).map(within).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_found_as_by_comparing_with_each() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed ^ seed >> 29
        };
        for squares in [0, 1, 7, 8, 9, 24, 25, 36, 63, 64] {
            let board = if squares == 0 { 0 } else { u64::MAX >> (64 - squares) };
            for count in [0, 1, 2, 44, 63, 64, 65, 130, 200] {
                let mut patterns: Vec<u64> =
                    (0..count).map(|_| random() & random() & random() & board).collect();
                if count == 2 {
                    patterns[0] = 0;
                }
                let found = Patterns::new(&patterns);
                for round in 0..200 {
                    let some = patterns.get(round).copied().unwrap_or(0);
                    let sets =
                        [0, u64::MAX, board, some, random() & board, random() & random() & board | some];
                    for set in sets {
                        let inside = patterns.iter().any(|pattern| pattern & !set == 0);
                        assert_eq!(found.any_in(set), inside, "{set:x} of {squares} squares");
                    }
                }
            }
        }
    }
}
