//! The operations on 128 bytes that the solver needs, for the vectors of each kind of processor.
//!
//! The compiler would vectorise the wrong loops, so the operations are explicit. All methods must be inlined
//! into a function that is compiled for the processor in question.
//!
//! **Invariant.** A vector of a kind exists only if the processor supports the instructions of that kind.
//! Vectors are therefore created only from a [`Simd::Token`], which proves that the processor was checked
//! ([`Avx2Token::detect`], [`Avx512Token::detect`]); methods on a vector need no further proof. Tokens have
//! no size, and the check is done once, far outside the loops.

use super::vector::{LANES, Vector};

/// 128 bytes in registers.
pub(super) trait Simd: Copy {
    /// Proves that the processor supports the instructions of these vectors.
    type Token: Copy;
    /// Loads from memory.
    fn load(token: Self::Token, vector: &Vector) -> Self;
    /// Stores to memory.
    fn store(self, vector: &mut Vector);
    /// The same word in every lane.
    fn splat(token: Self::Token, word: u64) -> Self;
    /// Word `lane | added` of a vector in every lane.
    #[inline(always)]
    fn load_from(token: Self::Token, vector: &Vector, added: usize) -> Self {
        Self::load(token, &Vector(std::array::from_fn(|lane| vector.0[(lane | added) % LANES])))
    }
    /// Shifts words down by less than 64 bits.
    fn down(self, bits: u32) -> Self;
    /// Bits in both.
    fn and(self, other: Self) -> Self;
    /// Bits in any.
    fn or(self, other: Self) -> Self;
    /// Bits not in it.
    fn not(self) -> Self;
    /// The smaller byte of each pair.
    fn min_bytes(self, other: Self) -> Self;
    /// [`Score::before_turn`](retrograde_game::Score::before_turn) of every byte, without its
    /// limits.
    fn before_turn(self) -> Self;
}

/// For any processor.
impl Simd for Vector {
    type Token = ();
    #[inline(always)]
    fn load((): (), vector: &Vector) -> Vector {
        *vector
    }
    #[inline(always)]
    fn store(self, vector: &mut Vector) {
        *vector = self;
    }
    #[inline(always)]
    fn splat((): (), word: u64) -> Vector {
        Vector([word; LANES])
    }
    #[inline(always)]
    fn down(self, bits: u32) -> Vector {
        Vector(self.0.map(|word| word >> bits))
    }
    #[inline(always)]
    fn and(self, other: Vector) -> Vector {
        Vector(std::array::from_fn(|lane| self.0[lane] & other.0[lane]))
    }
    #[inline(always)]
    fn or(self, other: Vector) -> Vector {
        Vector(std::array::from_fn(|lane| self.0[lane] | other.0[lane]))
    }
    #[inline(always)]
    fn not(self) -> Vector {
        Vector(self.0.map(|word| !word))
    }
    /// Works on eight bytes at a time, because compilers do not recognise vectors of bytes in arrays of
    /// words.
    #[inline(always)]
    fn min_bytes(self, other: Vector) -> Vector {
        Vector(std::array::from_fn(|lane| {
            let (a, b) = (self.0[lane], other.0[lane]);
            // The top bit of a byte of the difference tells which lower seven bits are greater.
            let difference = (a | TOPS).wrapping_sub(b & !TOPS);
            let tops = (a & !b | !(a ^ b) & difference) & TOPS;
            let not_less = (tops << 1).wrapping_sub(tops >> 7);
            b & not_less | a & !not_less
        }))
    }
    /// 255 − s is the complement of s. Subtracting one for losses and adding one for wins causes no carry.
    #[inline(always)]
    fn before_turn(self) -> Vector {
        Vector(self.0.map(|scores| {
            let wins = (scores & TOPS) >> 7;
            let losses = (!scores & TOPS) >> 7;
            (!scores).wrapping_add(wins).wrapping_sub(losses)
        }))
    }
}

/// The highest bit of every byte.
const TOPS: u64 = 0x8080_8080_8080_8080;

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx2Token, Avx512, Avx512Token};

#[cfg(target_arch = "x86_64")]
mod x86 {
    // Every `unsafe` here relies on the invariant above: creating a vector requires a token, and a token
    // exists only if the processor supports all instructions of its kind. Loads and stores stay within one
    // `Vector`, which is aligned to 128 bytes.
    #![allow(clippy::undocumented_unsafe_blocks, reason = "all for the one reason above")]

    use std::arch::x86_64::*;

    use super::{LANES, Simd, Vector};

    /// A score s below 128 is 254 − s one turn earlier, others are 256 − s.
    const LOSSES: u8 = 254;

    macro_rules! each {
        ($simd:ident, $at:ident => $made:expr) => {
            $simd(std::array::from_fn(
                #[inline(always)]
                |$at| unsafe { $made },
            ))
        };
    }

    /// Proves that the processor has AVX2.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Avx2Token(());

    impl Avx2Token {
        /// Checks the processor.
        pub fn detect() -> Option<Avx2Token> {
            is_x86_feature_detected!("avx2").then_some(Avx2Token(()))
        }
    }

    /// Proves that the processor has AVX-512 F, BW, DQ and VL.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Avx512Token(());

    impl Avx512Token {
        /// Checks the processor.
        pub fn detect() -> Option<Avx512Token> {
            let has = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            has.then_some(Avx512Token(()))
        }
    }

    /// For processors with AVX2.
    #[derive(Clone, Copy)]
    pub struct Avx2([__m256i; 4]);

    impl Simd for Avx2 {
        type Token = Avx2Token;
        #[inline(always)]
        fn load(_token: Avx2Token, vector: &Vector) -> Avx2 {
            let start: *const __m256i = vector.0.as_ptr().cast();
            each!(Avx2, at => _mm256_load_si256(start.add(at)))
        }
        #[inline(always)]
        fn store(self, vector: &mut Vector) {
            let start: *mut __m256i = vector.0.as_mut_ptr().cast();
            for (at, part) in self.0.into_iter().enumerate() {
                unsafe { _mm256_store_si256(start.add(at), part) };
            }
        }
        #[inline(always)]
        fn splat(_token: Avx2Token, word: u64) -> Avx2 {
            each!(Avx2, _at => _mm256_set1_epi64x(word as i64))
        }
        #[inline(always)]
        fn down(self, bits: u32) -> Avx2 {
            let bits = unsafe { _mm_cvtsi32_si128(bits as i32) };
            each!(Avx2, at => _mm256_srl_epi64(self.0[at], bits))
        }
        #[inline(always)]
        fn and(self, other: Avx2) -> Avx2 {
            each!(Avx2, at => _mm256_and_si256(self.0[at], other.0[at]))
        }
        #[inline(always)]
        fn or(self, other: Avx2) -> Avx2 {
            each!(Avx2, at => _mm256_or_si256(self.0[at], other.0[at]))
        }
        #[inline(always)]
        fn not(self) -> Avx2 {
            each!(Avx2, at => _mm256_xor_si256(self.0[at], _mm256_set1_epi8(-1)))
        }
        #[inline(always)]
        fn min_bytes(self, other: Avx2) -> Avx2 {
            each!(Avx2, at => _mm256_min_epu8(self.0[at], other.0[at]))
        }
        #[inline(always)]
        fn before_turn(self) -> Avx2 {
            each!(Avx2, at => {
                let lost = _mm256_cmpgt_epi8(self.0[at], _mm256_set1_epi8(-1));
                _mm256_sub_epi8(_mm256_and_si256(lost, _mm256_set1_epi8(LOSSES as i8)), self.0[at])
            })
        }
    }

    /// For processors with AVX-512 F and BW.
    #[derive(Clone, Copy)]
    pub struct Avx512([__m512i; 2]);

    /// 0 to 15.
    const NUMBERS: Vector = {
        let mut numbers = [0; LANES];
        let mut lane = 0;
        while lane < LANES {
            numbers[lane] = lane as u64;
            lane += 1;
        }
        Vector(numbers)
    };

    impl Simd for Avx512 {
        type Token = Avx512Token;
        #[inline(always)]
        fn load(_token: Avx512Token, vector: &Vector) -> Avx512 {
            let start: *const __m512i = vector.0.as_ptr().cast();
            each!(Avx512, at => _mm512_load_si512(start.add(at)))
        }
        #[inline(always)]
        fn store(self, vector: &mut Vector) {
            let start: *mut __m512i = vector.0.as_mut_ptr().cast();
            for (at, part) in self.0.into_iter().enumerate() {
                unsafe { _mm512_store_si512(start.add(at), part) };
            }
        }
        #[inline(always)]
        fn splat(_token: Avx512Token, word: u64) -> Avx512 {
            each!(Avx512, _at => _mm512_set1_epi64(word as i64))
        }
        #[inline(always)]
        fn load_from(token: Avx512Token, vector: &Vector, added: usize) -> Avx512 {
            let places = Self::load(token, &NUMBERS).or(Self::splat(token, added as u64));
            let [low, high] = Self::load(token, vector).0;
            each!(Avx512, at => _mm512_permutex2var_epi64(low, places.0[at], high))
        }
        #[inline(always)]
        fn down(self, bits: u32) -> Avx512 {
            let bits = unsafe { _mm_cvtsi32_si128(bits as i32) };
            each!(Avx512, at => _mm512_srl_epi64(self.0[at], bits))
        }
        #[inline(always)]
        fn and(self, other: Avx512) -> Avx512 {
            each!(Avx512, at => _mm512_and_si512(self.0[at], other.0[at]))
        }
        #[inline(always)]
        fn or(self, other: Avx512) -> Avx512 {
            each!(Avx512, at => _mm512_or_si512(self.0[at], other.0[at]))
        }
        #[inline(always)]
        fn not(self) -> Avx512 {
            each!(Avx512, at => _mm512_xor_si512(self.0[at], _mm512_set1_epi8(-1)))
        }
        #[inline(always)]
        fn min_bytes(self, other: Avx512) -> Avx512 {
            each!(Avx512, at => _mm512_min_epu8(self.0[at], other.0[at]))
        }
        #[inline(always)]
        fn before_turn(self) -> Avx512 {
            each!(Avx512, at => {
                let won = _mm512_movepi8_mask(self.0[at]);
                _mm512_sub_epi8(_mm512_maskz_set1_epi8(!won, LOSSES as i8), self.0[at])
            })
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use retrograde_game::{Random, Score};

    use super::*;

    /// Compares every operation with the portable one.
    #[inline(always)]
    pub(in super::super) fn agrees_with_plain<S: Simd>(token: S::Token) {
        let mut random = Random::new(1);
        let mut vector = || Vector(std::array::from_fn(|_| random.bits()));
        let out = |simd: S| {
            let mut out = Vector::ONES;
            simd.store(&mut out);
            out
        };
        for round in 0..1000_u32 {
            let (a, b) = (vector(), vector());
            let (s, t) = (S::load(token, &a), S::load(token, &b));
            assert_eq!(out(s), a);
            assert_eq!(out(S::splat(token, a.0[0])), Vector([a.0[0]; LANES]));
            assert_eq!(out(s.and(t)), a.and(b));
            assert_eq!(out(s.or(t)), a.or(b));
            assert_eq!(out(s.not()), a.not());
            assert_eq!(out(s.min_bytes(t)), a.min_bytes(b));
            assert_eq!(out(s.before_turn()), a.before_turn());
            assert_eq!(out(s.down(round % 64)), a.down(round % 64));
            let added = round as usize % LANES;
            let moved = out(S::load_from(token, &a, added));
            for (lane, word) in moved.0.iter().enumerate() {
                assert_eq!(*word, a.0[lane | added]);
            }
        }
    }

    #[test]
    fn bytes_are_scores() {
        for score in 0..=u8::MAX {
            let all = |score: u8| Vector([u64::from_ne_bytes([score; 8]); LANES]);
            if let Some(before) = score.before_turn()
                && score != u8::DRAW
            {
                assert_eq!(all(score).before_turn(), all(before), "{score}");
            }
            for other in 0..=u8::MAX {
                assert_eq!(all(score).min_bytes(all(other)), all(score.min(other)));
            }
        }
    }
}
