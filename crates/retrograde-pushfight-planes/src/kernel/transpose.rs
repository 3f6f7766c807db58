//! Transposes bit matrices.
//!
//! Rows are sets of one kind of pieces and bits are sets of another. Moves and pushes each need
//! their own orientation.

use crate::kernel::simd::SimdLevel;

/// Transposes 64 × 64 bits, W matrices at once: bit c of row r becomes bit r of row c.
#[inline(always)]
fn transpose_64<const W: usize>(tile: &mut [[u64; W]; 64]) {
    // Eight rows at a time stay in registers for three of the six steps.
    for first in 0..8 {
        let mut rows: [[u64; W]; 8] = std::array::from_fn(|row| tile[first + 8 * row]);
        swap_all::<W, 32, 0x0000_0000_ffff_ffff>(&mut rows, 4);
        swap_all::<W, 16, 0x0000_ffff_0000_ffff>(&mut rows, 2);
        swap_all::<W, 8, 0x00ff_00ff_00ff_00ff>(&mut rows, 1);
        for row in 0..8 {
            tile[first + 8 * row] = rows[row];
        }
    }
    for rows in tile.as_chunks_mut::<8>().0 {
        swap_all::<W, 4, 0x0f0f_0f0f_0f0f_0f0f>(rows, 4);
        swap_all::<W, 2, 0x3333_3333_3333_3333>(rows, 2);
        swap_all::<W, 1, 0x5555_5555_5555_5555>(rows, 1);
    }
}

/// Swaps the upper part of each row with the lower part of the row `distance` behind it.
#[inline(always)]
fn swap_all<const W: usize, const WIDTH: u32, const MASK: u64>(rows: &mut [[u64; W]; 8], behind: usize) {
    for row in (0..8).filter(|row| row & behind == 0) {
        for word in 0..W {
            let swap = (rows[row][word] >> WIDTH ^ rows[row + behind][word]) & MASK;
            rows[row][word] ^= swap << WIDTH;
            rows[row + behind][word] ^= swap;
        }
    }
}

/// Transposes up to 64 · V rows: bit c of row r becomes bit r of row c. There are 64 · W rows in the
/// result.
#[inline(always)]
pub(crate) fn transpose_bits<const W: usize, const V: usize>(
    level: SimdLevel,
    from: &[[u64; W]],
    into: &mut [[u64; V]],
) {
    #[cfg(target_arch = "x86_64")]
    if level == SimdLevel::V4
        && let Some(from) = from.as_flattened().first_chunk()
        && let Some(into) = into.as_flattened_mut().first_chunk_mut()
        && (W, V) == (4, 4)
    {
        // SAFETY: the level has been seen to be there.
        return unsafe { avx512::transpose_256(from, into) };
    }
    let _ = level;
    for block in 0..V {
        let rows = &from[(64 * block).min(from.len())..(64 * block + 64).min(from.len())];
        let mut tile = [[0; W]; 64];
        tile[..rows.len()].copy_from_slice(rows);
        if tile.iter().any(crate::layout::sets::any_bit) {
            transpose_64(&mut tile);
        }
        for word in 0..W {
            for bit in 0..64 {
                into[64 * word + bit][block] = tile[bit][word];
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    //! 256 × 256 bits in long vectors: rows of four words are rearranged to vectors of one word of
    //! eight rows; their 8 × 8 bits are turned by one instruction for eight of those; the remaining
    //! steps permute bytes and words.

    #[allow(clippy::wildcard_imports, reason = "a module of instructions")]
    use std::arch::x86_64::*;

    /// For 8 × 8 bytes the rows of a column, last row first: turning bits reverses them.
    const COLUMNS: [u8; 64] = {
        let mut at = [0; 64];
        let mut byte = 0;
        while byte < 64 {
            at[byte] = (8 * (7 - byte % 8) + byte / 8) as u8;
            byte += 1;
        }
        at
    };

    /// For the even or odd rows of two matrices of 8 × 8 bytes their columns: of the first, of the
    /// second, and so on.
    const fn pairs(odd: u8) -> [u8; 64] {
        let mut at = [0; 64];
        let mut byte = 0;
        while byte < 64 {
            let (word, of) = (byte as u8 / 8, byte as u8 % 8);
            at[byte] = 64 * (word % 2) + 8 * of + (word / 2 * 2 + odd);
            byte += 1;
        }
        at
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load<T>(from: &[T]) -> __m512i {
        assert_eq!(size_of_val(from), 64, "a vector");
        // SAFETY: all bytes that are read exist, and there is no alignment requirement.
        unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
    }

    /// Transposes 8 × 8 words.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn words(rows: &[__m512i; 8]) -> [__m512i; 8] {
        let mut columns = *rows;
        for odd in 0..2 {
            let pair = |at: usize| match odd {
                0 => _mm512_unpacklo_epi64(rows[2 * at], rows[2 * at + 1]),
                _ => _mm512_unpackhi_epi64(rows[2 * at], rows[2 * at + 1]),
            };
            let (a, b, c, d) = (pair(0), pair(1), pair(2), pair(3));
            let (low, high) = (_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0x88>(c, d));
            columns[odd] = _mm512_shuffle_i64x2::<0x88>(low, high);
            columns[odd + 4] = _mm512_shuffle_i64x2::<0xdd>(low, high);
            let (low, high) = (_mm512_shuffle_i64x2::<0xdd>(a, b), _mm512_shuffle_i64x2::<0xdd>(c, d));
            columns[odd + 2] = _mm512_shuffle_i64x2::<0x88>(low, high);
            columns[odd + 6] = _mm512_shuffle_i64x2::<0xdd>(low, high);
        }
        columns
    }

    /// Transposes 256 × 256 bits.
    #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vbmi,gfni")]
    pub(super) fn transpose_256(from: &[u64; 1024], into: &mut [u64; 1024]) {
        let identity = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
        let columns = load(&COLUMNS);
        let first = load(&[0_u64, 4, 8, 12, 1, 5, 9, 13]);
        let second = load(&[2_u64, 6, 10, 14, 3, 7, 11, 15]);
        // By words of a row, 64 rows, eight rows.
        let mut transposed = [[[_mm512_setzero_si512(); 8]; 4]; 4];
        for (number, rows) in from.as_chunks::<32>().0.iter().enumerate() {
            let rows = rows.as_chunks::<8>().0;
            let [a, b, c, d] = [0, 1, 2, 3].map(|row: usize| load(&rows[row]));
            let (low, high) =
                (_mm512_permutex2var_epi64(a, first, b), _mm512_permutex2var_epi64(c, first, d));
            let (next, last) =
                (_mm512_permutex2var_epi64(a, second, b), _mm512_permutex2var_epi64(c, second, d));
            let words = [
                _mm512_shuffle_i64x2::<0x44>(low, high),
                _mm512_shuffle_i64x2::<0xee>(low, high),
                _mm512_shuffle_i64x2::<0x44>(next, last),
                _mm512_shuffle_i64x2::<0xee>(next, last),
            ];
            for (transposed, word) in transposed.iter_mut().zip(words) {
                let word = _mm512_permutexvar_epi8(columns, word);
                transposed[number / 8][number % 8] = _mm512_gf2p8affine_epi64_epi8::<0>(identity, word);
            }
        }
        let [even, odd] = [load(&pairs(0)), load(&pairs(1))];
        let first = load(&[0_u64, 1, 8, 9, 2, 3, 10, 11]);
        let second = load(&[4_u64, 5, 12, 13, 6, 7, 14, 15]);
        for (transposed, into) in transposed.iter().zip(into.as_chunks_mut::<256>().0) {
            let blocks =
                [words(&transposed[0]), words(&transposed[1]), words(&transposed[2]), words(&transposed[3])];
            for (eight, into) in into.as_chunks_mut::<32>().0.iter_mut().enumerate() {
                let [a, b, c, d] = [0, 1, 2, 3].map(|block: usize| blocks[block][eight]);
                let into = into.as_chunks_mut::<4>().0;
                for (odd, bytes) in [even, odd].into_iter().enumerate() {
                    let (low, high) =
                        (_mm512_permutex2var_epi8(a, bytes, b), _mm512_permutex2var_epi8(c, bytes, d));
                    let rows = [
                        _mm512_permutex2var_epi64(low, first, high),
                        _mm512_permutex2var_epi64(low, second, high),
                    ];
                    for (at, two) in rows.into_iter().enumerate() {
                        for (half, row) in [_mm512_castsi512_si256(two), _mm512_extracti64x4_epi64::<1>(two)]
                            .into_iter()
                            .enumerate()
                        {
                            // SAFETY: all bytes that are written exist, and there is no alignment
                            // requirement.
                            unsafe {
                                _mm256_storeu_si256(into[4 * at + 2 * half + odd].as_mut_ptr().cast(), row);
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random;

    fn check<const W: usize, const V: usize>(level: SimdLevel, count: usize) {
        let mut seed = 1_u64;
        let mut random = || random(&mut seed);
        let from: Vec<[u64; W]> = (0..count).map(|_| std::array::from_fn(|_| random() & random())).collect();
        let mut into = vec![[random(); V]; 64 * W];
        transpose_bits(level, &from, &mut into);
        for column in 0..64 * W {
            for row in 0..64 * V {
                let bit = from.get(row).map_or(0, |from| from[column / 64] >> (column % 64) & 1);
                assert_eq!(into[column][row / 64] >> (row % 64) & 1, bit, "{W} by {V}: {row}, {column}");
            }
        }
    }

    #[test]
    fn matrices_are_transposed() {
        for level in [SimdLevel::Portable, SimdLevel::best()] {
            for count in [256, 255, 200, 64, 50, 0] {
                check::<4, 4>(level, count);
                check::<1, 4>(level, count);
                check::<6, 4>(level, count);
            }
            check::<4, 1>(level, 64);
            check::<4, 6>(level, 6 * 64);
        }
    }
}
