//! Ranks of many arrangements that differ only in the squares of one code.
//!
//! Take such an arrangement with `count` squares of the code. What another square adds to the rank depends on
//! how many squares of the code follow it. With sums over the other squares for each such number, the rank is
//! a constant plus one term for each square of the code.

use super::{Multiset, State};
use crate::multiset::rows::MAX_CODES;

/// The most squares of an arrangement.
const SQUARES: usize = 64;

/// The terms of such ranks. [`Multiset::square_ranks`] fills them.
#[derive(Clone, Debug, Default)]
pub struct SquareRanks {
    base: u64,
    /// For the first square of the code, the second, …: the term if it is on a square.
    terms: Vec<[u64; SQUARES]>,
}

impl SquareRanks {
    /// The rank of the arrangement in which the code is on these squares, one bit each. Meaningless if the
    /// number of squares is wrong or one of them has another code.
    #[inline]
    pub fn rank(&self, mut squares: u64) -> u64 {
        let mut rank = self.base;
        for terms in &self.terms {
            rank = rank.wrapping_add(terms[squares.trailing_zeros() as usize % SQUARES]);
            squares &= squares.wrapping_sub(1);
        }
        rank
    }
}

impl Multiset {
    /// Computes the ranks of the arrangements of the codes `left` in which `code`, which is not 0, is on
    /// `count` squares and `others` are the squares with other codes but 0, in ascending order. Squares are
    /// numbered as in [`Multiset::rank_sparse`].
    ///
    /// # Panics
    /// If there are more than 64 squares.
    pub fn square_ranks(
        &self,
        left: State,
        others: impl Iterator<Item = (u32, u8)> + Clone,
        (code, count): (u8, usize),
        ranks: &mut SquareRanks,
    ) {
        assert!(left.length() <= SQUARES, "a set has at most 64 squares");
        let code = usize::from(code) & (MAX_CODES - 1);
        let [skip, stride] = [0, code].map(|code| self.rows.strides[code]);
        let before = |row: u32, code: usize| {
            let at = (row as usize).wrapping_mul(self.rows.width()).wrapping_add(code);
            self.rows.before.get(at).copied().unwrap_or(0)
        };
        ranks.terms.clear();
        ranks.terms.resize(count, [0; SQUARES]);
        for placed in 0..=count {
            // The state and the sum over other squares, if this many squares of the code precede. They are
            // wrong for the first squares, where fewer can precede; this cancels, because only differences
            // of sums over later squares are used.
            let mut row = left.row.wrapping_sub((placed as u32).wrapping_mul(stride.wrapping_sub(skip)));
            let mut sum = 0_u64;
            let mut others = others.clone().peekable();
            for square in 0..left.length() {
                if let Some((_, other)) = others.next_if(|&(at, _)| at as usize == square) {
                    let other = usize::from(other) & (MAX_CODES - 1);
                    sum = sum.wrapping_add(before(row, other));
                    row = row.wrapping_sub(self.rows.strides[other]);
                    continue;
                }
                if placed > 0 {
                    let term = &mut ranks.terms[placed - 1][square];
                    *term = term.wrapping_sub(sum);
                }
                if placed < count {
                    let term = &mut ranks.terms[placed][square];
                    *term = term.wrapping_add(sum).wrapping_add(before(row, code));
                }
                row = row.wrapping_sub(skip);
            }
            ranks.base = sum;
        }
    }
}
