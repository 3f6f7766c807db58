//! Extracts and deposits the bits of a mask: BMI2's `pext` and `pdep` where the processor has them,
//! loops elsewhere. [`LaneRemap`] moves rows from one numbering of lanes to another with them.

/// Extracts and deposits bits. A value of the type shows that the processor can do it in this way.
pub(crate) trait Pext: Copy + Send + Sync {
    /// The bits of a word at a mask, side by side.
    fn extract(self, word: u64, mask: u64) -> u64;

    /// The lowest bits of a word, each at its place of a mask.
    fn deposit(self, word: u64, mask: u64) -> u64;
}

/// Any processor.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Pext for Portable {
    #[inline(always)]
    fn extract(self, word: u64, mut mask: u64) -> u64 {
        let (mut extracted, mut at) = (0, 0);
        while mask != 0 {
            extracted |= (word >> mask.trailing_zeros() & 1) << at;
            mask &= mask - 1;
            at += 1;
        }
        extracted
    }

    #[inline(always)]
    fn deposit(self, mut word: u64, mut mask: u64) -> u64 {
        let mut deposited = 0;
        while mask != 0 && word != 0 {
            deposited |= (mask & mask.wrapping_neg()) * (word & 1);
            word >>= 1;
            mask &= mask - 1;
        }
        deposited
    }
}

/// x86-64 with BMI2.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Bmi2(());

#[cfg(target_arch = "x86_64")]
impl Bmi2 {
    #[inline]
    #[target_feature(enable = "bmi2")]
    pub(super) fn new() -> Bmi2 {
        Bmi2(())
    }
}

#[cfg(target_arch = "x86_64")]
impl Pext for Bmi2 {
    #[inline(always)]
    fn extract(self, word: u64, mask: u64) -> u64 {
        // SAFETY: a value exists only if the processor has BMI2.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    #[inline(always)]
    fn deposit(self, word: u64, mask: u64) -> u64 {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pdep_u64(word, mask) }
    }
}

/// Moves the bits of a row from one mask to another with the same number of bits, in order.
#[inline(always)]
fn remap<const W: usize>(
    pext: impl Pext,
    row: &[u64; W],
    from: &[u64; W],
    to: &[u64; W],
    into: &mut [u64; W],
) {
    // Bits that are extracted and not yet deposited.
    let (mut held, mut count) = (0_u128, 0_u32);
    let mut next = 0;
    for word in 0..W {
        held |= u128::from(pext.extract(row[word], from[word])) << count;
        count += from[word].count_ones();
        // A word can be filled once all of its bits are held; there is room for another 64 then.
        while next < W && to[next].count_ones() <= count {
            into[next] |= pext.deposit(held as u64, to[next]);
            let used = to[next].count_ones();
            held >>= used;
            count -= used;
            next += 1;
        }
    }
}

/// [`remap`] for many rows with the same masks. Most masks have few bits, so that the bits of a row fit
/// into a word.
pub(crate) struct LaneRemap<'a, const W: usize> {
    from: &'a [u64; W],
    to: &'a [u64; W],
    /// The number of bits before each word.
    from_first: [u32; W],
    to_first: [u32; W],
    fits_word: bool,
}

impl<'a, const W: usize> LaneRemap<'a, W> {
    #[inline(always)]
    pub(crate) fn new(from: &'a [u64; W], to: &'a [u64; W]) -> LaneRemap<'a, W> {
        let first = |mask: &[u64; W]| {
            let mut before = 0;
            let first: [u32; W] = std::array::from_fn(|word| {
                let first = before;
                before += mask[word].count_ones();
                first
            });
            (first, before)
        };
        let ((from_first, count), (to_first, _)) = (first(from), first(to));
        LaneRemap { from, to, from_first, to_first, fits_word: count <= 64 }
    }

    /// Adds a row's bits.
    #[inline(always)]
    pub(crate) fn add(&self, pext: impl Pext, row: &[u64; W], into: &mut [u64; W]) {
        if !self.fits_word {
            let any = row.iter().zip(self.from).fold(0, |any, (row, from)| any | row & from);
            if any != 0 {
                remap(pext, row, self.from, self.to, into);
            }
            return;
        }
        let mut held = 0;
        for word in 0..W {
            // After 64 bits, the word has no bits left.
            held |= pext.extract(row[word], self.from[word]).wrapping_shl(self.from_first[word]);
        }
        if held == 0 {
            return;
        }
        for word in 0..W {
            into[word] |= pext.deposit(held.wrapping_shr(self.to_first[word]), self.to[word]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::simd::{Kernel, SimdLevel};
    use crate::testing::random;

    struct Check;

    impl Kernel for Check {
        type Output = ();

        fn run(self, pext: impl Pext) {
            check(pext);
        }
    }

    fn check(pext: impl Pext) {
        let mut seed = 1_u64;
        let mut random = || random(&mut seed);
        let mut few = 0;
        for round in 0..2000 {
            let row: [u64; 4] = std::array::from_fn(|_| random());
            let thin = |word: u64, more: u64| if round % 2 == 0 { word & more } else { word };
            let from: [u64; 4] = std::array::from_fn(|_| thin(random(), random()));
            let from = if round % 8 == 0 { from.map(|word| word & word >> 20 & word << 9) } else { from };
            let count: u32 = from.iter().map(|word| word.count_ones()).sum();
            let mut to: [u64; 4] = std::array::from_fn(|_| random() | random());
            // Both need the same number of bits.
            let mut left: u32 = to.iter().map(|word| word.count_ones()).sum();
            for word in to.iter_mut().rev() {
                while left > count && *word != 0 {
                    *word &= *word - 1;
                    left -= 1;
                }
            }
            if left != count {
                continue;
            }
            let mut into = [0; 4];
            remap(pext, &row, &from, &to, &mut into);
            let bit = |words: &[u64; 4], at: usize| words[at / 64] >> (at % 64) & 1;
            let places = |words: [u64; 4]| (0..256).filter(move |&at| bit(&words, at) == 1);
            for (a, b) in places(from).zip(places(to)) {
                assert_eq!(bit(&row, a), bit(&into, b));
            }
            assert!((0..4).all(|word| into[word] & !to[word] == 0));
            let mut again = [0; 4];
            LaneRemap::new(&from, &to).add(pext, &row, &mut again);
            assert_eq!(again, into);
            few += u32::from(count <= 64);
        }
        assert!((200..1000).contains(&few), "{few}");
    }

    #[test]
    fn bits_are_moved_between_masks() {
        SimdLevel::Portable.run(Check);
        SimdLevel::best().run(Check);
    }
}
