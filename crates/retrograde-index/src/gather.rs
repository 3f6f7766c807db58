//! Squares of a set counted among the squares of another: gathering and scattering bits.

/// The squares of `set` counted among those of `universe`: bit i of the answer says whether `set`
/// has the i-th square of `universe`, from the lowest. Squares outside the universe are dropped.
///
/// ```
/// use retrograde_index::gather;
/// assert_eq!(gather(0b10010, 0b11010), 0b101);
/// ```
pub fn gather(set: u64, universe: u64) -> u64 {
    let (mut rest, mut bit, mut gathered) = (universe, 1, 0);
    while rest != 0 {
        let square = rest & rest.wrapping_neg();
        if set & square != 0 {
            gathered |= bit;
        }
        bit <<= 1;
        rest ^= square;
    }
    gathered
}

/// The way back from [`gather`]: the i-th square of `universe` for every bit i of `bits`. Bits past
/// the number of squares are dropped.
///
/// ```
/// use retrograde_index::scatter;
/// assert_eq!(scatter(0b101, 0b11010), 0b10010);
/// ```
pub fn scatter(bits: u64, universe: u64) -> u64 {
    let (mut rest, mut bits, mut set) = (universe, bits, 0);
    while rest != 0 && bits != 0 {
        let square = rest & rest.wrapping_neg();
        if bits & 1 != 0 {
            set |= square;
        }
        bits >>= 1;
        rest ^= square;
    }
    set
}
