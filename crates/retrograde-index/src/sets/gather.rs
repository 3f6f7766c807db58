//! Gathers and scatters bits: numbers the squares of a set relative to another set.

use crate::sets::bits::{Bits, Processor, Task};

struct Gather {
    set: u64,
    universe: u64,
}

impl Task for Gather {
    type Output = u64;
    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> u64 {
        bits.gather(self.set, self.universe)
    }
}

struct Scatter {
    bits: u64,
    universe: u64,
}

impl Task for Scatter {
    type Output = u64;
    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> u64 {
        bits.scatter(self.bits, self.universe)
    }
}

/// Renumbers the squares of `set` within `universe`: bit i of the result is set if `set` contains
/// the i-th square of `universe`, from the lowest. Drops squares outside the universe.
///
/// ```
/// use retrograde_index::gather;
/// assert_eq!(gather(0b10010, 0b11010), 0b101);
/// ```
#[inline]
pub fn gather(set: u64, universe: u64) -> u64 {
    Processor::detect().run(Gather { set, universe })
}

/// Reverses [`gather`]: the i-th square of `universe` for every bit i of `bits`. Drops bits past
/// the number of squares.
///
/// ```
/// use retrograde_index::scatter;
/// assert_eq!(scatter(0b101, 0b11010), 0b10010);
/// ```
#[inline]
pub fn scatter(bits: u64, universe: u64) -> u64 {
    Processor::detect().run(Scatter { bits, universe })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(set: u64) -> impl Iterator<Item = u32> {
        (0..64).filter(move |square| set >> square & 1 == 1)
    }

    /// Sets of all densities, and the extremes.
    fn sets() -> Vec<u64> {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed ^ seed >> 29
        };
        let mut sets = vec![0, 1, u64::MAX, 1 << 63, u64::MAX >> 1, 0xFFFF << 30];
        for _ in 0..30 {
            let (a, b, c) = (random(), random(), random());
            sets.extend([a, a & b, a | b, a & b & c, a | b | c, a >> 39, a | b | c | 7 << 61]);
        }
        sets
    }

    #[test]
    fn gathering_and_scattering_agree_with_a_loop_over_squares() {
        for processor in [Processor::detect(), Processor::plain()] {
            for universe in sets() {
                for set in sets() {
                    let place = |square: u32| squares(universe).position(|other| other == square);
                    let slowly = squares(set).filter_map(place).fold(0, |bits, place| bits | 1_u64 << place);
                    assert_eq!(processor.run(Gather { set, universe }), slowly, "{set:x} in {universe:x}");
                    let places = squares(universe).enumerate().filter(|&(place, _)| set >> place & 1 == 1);
                    let slowly = places.fold(0, |set, (_, square)| set | 1_u64 << square);
                    assert_eq!(
                        processor.run(Scatter { bits: set, universe }),
                        slowly,
                        "{set:x} to {universe:x}"
                    );
                }
            }
        }
    }
}
