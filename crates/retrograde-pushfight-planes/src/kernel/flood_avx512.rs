//! Floods of the standard board in AVX-512 registers.
//!
//! Each of the 26 squares has a register, and the neighbours of each square are known at compile
//! time. So a visit of a square takes two or three instructions instead of a dozen that go to
//! memory. Other boards and other processors use the general flood.

use crate::layout::standard_board::{NEIGHBOURS, OFF_BOARD, PLACES, SQUARES};

#[allow(clippy::wildcard_imports, reason = "a module of instructions")]
use std::arch::x86_64::*;

/// The order of visits: from corner to corner, so that consecutive squares seldom wait for each other.
const ORDER: [usize; SQUARES] = {
    let (mut order, mut count, mut diagonal) = ([0; SQUARES], 0, 0);
    while diagonal < 11 {
        let mut square = 0;
        while square < SQUARES {
            if PLACES[square].0 + PLACES[square].1 == diagonal {
                order[count] = square;
                count += 1;
            }
            square += 1;
        }
        diagonal += 1;
    }
    order
};

/// Moves into a square from its neighbours; returns the changed lanes if `ASKED`.
#[inline]
#[target_feature(enable = "avx512f")]
fn visit<const STEP: usize, const ASKED: bool>(
    at: &mut [__m512i; SQUARES],
    empty: __m512i,
    changed: __m512i,
) -> __m512i {
    let square = ORDER[STEP];
    let [a, b, c, d] = NEIGHBOURS[square];
    // Every square has at least two neighbours.
    let from = match (c, d) {
        (OFF_BOARD, _) => _mm512_or_si512(at[a], at[b]),
        (_, OFF_BOARD) => or(at[a], at[b], at[c]),
        _ => _mm512_or_si512(or(at[a], at[b], at[c]), at[d]),
    };
    let before = at[square];
    // Keeps the lanes of the square, and adds those of its neighbours where it is empty.
    at[square] = _mm512_ternarylogic_epi64::<0xf8>(before, from, empty);
    if ASKED { _mm512_ternarylogic_epi64::<0xf6>(changed, at[square], before) } else { changed }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn or(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0xfe>(a, b, c)
}

/// Repeats steps from square to square until nothing changes, in the eight words of each vector from
/// `first` on. A square is only entered in the lanes in which it is empty. `numbers` has the vectors of
/// the squares; squares without one are never empty.
#[target_feature(enable = "avx512f")]
pub(crate) fn flood<const K: usize>(
    at: &mut [[u64; K]; 64],
    empty: &[[u64; K]; 64],
    numbers: &[u8; 64],
    first: usize,
) {
    assert!(first + 8 <= K, "eight words of {K} from word {first} on");
    let number = |square: usize| usize::from(numbers[square] & 63);
    // SAFETY: there are eight words, and the load has no alignment requirement.
    let load = |row: &[u64; K]| unsafe { _mm512_loadu_si512(row.as_ptr().add(first).cast()) };
    let mut squares: [__m512i; SQUARES] = std::array::from_fn(|square| load(&at[number(square)]));
    macro_rules! visits {
        ($asked:literal: $($step:literal)*) => {{
            let mut changed = _mm512_setzero_si512();
            $(changed = visit::<$step, $asked>(&mut squares, load(&empty[number(ORDER[$step])]), changed);)*
            changed
        }};
    }
    loop {
        visits!(false: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25);
        let changed = visits!(true: 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0);
        if _mm512_test_epi64_mask(changed, changed) == 0 {
            break;
        }
    }
    for (square, row) in squares.into_iter().enumerate() {
        // SAFETY: as above.
        unsafe { _mm512_storeu_si512(at[number(square)].as_mut_ptr().add(first).cast(), row) };
    }
}
