//! Arrangements of a multiset: strings in which every code has a given number of occurrences, in
//! lexicographic order.
//!
//! A state is the codes that are left; their counts are the digits of a mixed radix. For every state and code
//! a table has the number of arrangements that begin with a smaller code, so a conversion takes one lookup
//! per square. The next state is a subtraction, not another lookup, so the lookups of a rank do not wait for
//! each other. The lookups of an unrank do, so there are shortcuts for the first and the last squares
//! (`shortcuts`).

mod rows;
mod shortcuts;
mod square_ranks;
mod state;
#[cfg(test)]
mod tests;

use crate::error::IndexError;
use rows::{FEW_CODES, MAX_CODES, Rows};
pub use shortcuts::Head;
use shortcuts::{Heads, Tails};
pub use square_ranks::SquareRanks;
pub use state::State;

/// The most states of a table. With 16 codes, 2²² of them take half a gigabyte.
const MAX_STATES: u128 = 1 << 22;

/// The numbering of the arrangements of a multiset of codes 0, 1, ….
#[derive(Clone, Debug)]
pub struct Multiset {
    counts: Vec<u32>,
    rows: Rows,
    start: State,
    heads: Heads,
    tails: Tails,
}

impl Multiset {
    /// Creates the numbering of arrangements with `counts[c]` occurrences of the code c.
    ///
    /// # Errors
    /// If there are more arrangements than 64 bits can number, or the table would be too large.
    pub fn new(counts: &[u32]) -> Result<Multiset, IndexError> {
        let (states, _) = Multiset::size(counts)?;
        let mut strides = [0; MAX_CODES];
        let mut stride = 1;
        for (place, &count) in strides.iter_mut().zip(counts) {
            *place = stride;
            stride *= count + 1;
        }
        let wide = counts.len() > FEW_CODES;
        let width = if wide { MAX_CODES } else { FEW_CODES };
        let mut before = vec![u64::MAX; states * width];
        // The number of arrangements of each state, `None` if it needs more than 64 bits. A state
        // has a smaller number than the states before it.
        let mut ways = vec![Some(1_u64); states];
        for state in 1..states {
            let mut sum = Some(0_u64);
            for (code, &count) in counts.iter().enumerate() {
                before[state * width + code] = sum.unwrap_or(u64::MAX);
                if (state as u32 / strides[code]).is_multiple_of(count + 1) {
                    continue;
                }
                let next = ways[state - strides[code] as usize];
                sum = sum.zip(next).and_then(|(sum, next)| sum.checked_add(next));
            }
            ways[state] = sum;
        }
        let total = ways[states - 1].ok_or(IndexError::TooMany)?;
        let length: u32 = counts.iter().sum();
        let start = State { row: states as u32 - 1, length, total };
        let rows = Rows { strides, wide, before };
        // No state has more arrangements than the start, so none of them is `None`.
        let ways: Vec<u64> = ways.into_iter().map(|ways| ways.unwrap_or(u64::MAX)).collect();
        let tails = Tails::new(&rows, counts, &ways);
        let heads = Heads::new(&rows, counts.len(), start, tails.length());
        Ok(Multiset { counts: counts.to_vec(), rows, start, heads, tails })
    }

    /// The bytes of memory that [`Multiset::new`] needs for its tables. Fast; builds nothing.
    ///
    /// # Errors
    /// The same as [`Multiset::new`].
    pub fn memory(counts: &[u32]) -> Result<u64, IndexError> {
        let (states, total) = Multiset::size(counts)?;
        let width = if counts.len() > FEW_CODES { MAX_CODES } else { FEW_CODES };
        let rows = (states * width * size_of::<u64>()) as u64;
        Ok(rows + shortcuts::heads_memory(total) + shortcuts::tails_memory(states as u64))
    }

    /// The number of states, and the number of arrangements.
    fn size(counts: &[u32]) -> Result<(usize, u64), IndexError> {
        if counts.len() > MAX_CODES {
            return Err(IndexError::TooManyCodes { codes: counts.len(), limit: MAX_CODES });
        }
        let states = counts.iter().try_fold(1_u128, |product, &n| product.checked_mul(u128::from(n) + 1));
        let states = states.unwrap_or(u128::MAX);
        if states > MAX_STATES {
            return Err(IndexError::TooManyStates { states, limit: MAX_STATES });
        }
        let mut left: u32 = counts.iter().sum();
        let total = counts.iter().try_fold(1_u128, |total, &count| {
            let ways = crate::binomial(left, count)?;
            left -= count;
            total.checked_mul(ways)
        });
        let total = total.and_then(|total| u64::try_from(total).ok()).ok_or(IndexError::TooMany)?;
        Ok((states as usize, total))
    }

    /// The number of arrangements.
    pub fn count(&self) -> u128 {
        u128::from(self.start.total)
    }

    /// The number of squares of an arrangement.
    pub fn length(&self) -> usize {
        self.start.length()
    }

    /// The state in which all codes are left.
    pub fn start(&self) -> State {
        self.start
    }

    /// The state without the `taken` number of each code; `None` if that many are not left.
    pub fn without(&self, taken: &[u32]) -> Option<State> {
        let mut left = self.counts.clone();
        for (code, &taken) in taken.iter().enumerate() {
            let left = left.get_mut(code)?;
            *left = left.checked_sub(taken)?;
        }
        let row = left.iter().zip(self.rows.strides).map(|(left, stride)| left * stride).sum();
        let mut all = left.iter().sum();
        let length = all;
        let mut total = 1_u128;
        for &count in &left {
            total *= crate::binomial(all, count)?;
            all -= count;
        }
        Some(State { row, length, total: u64::try_from(total).ok()? })
    }

    /// The rank of an arrangement of the codes `left`, given by its squares with a code other than
    /// 0 in ascending order. Squares are numbered from the first of those left.
    #[inline]
    pub fn rank_sparse(&self, left: State, pieces: impl Iterator<Item = (u32, u8)>) -> u64 {
        let (mut row, mut rank, mut zeros) = (left.row, 0_u64, 0);
        for (seen, (square, code)) in (0..).zip(pieces) {
            // Skips the zeros since the previous piece.
            let until = square.wrapping_sub(seen);
            row = row.wrapping_sub((until.wrapping_sub(zeros)).wrapping_mul(self.rows.strides[0]));
            zeros = until;
            let code = usize::from(code) & (MAX_CODES - 1);
            let at = (row as usize).wrapping_mul(self.rows.width()).wrapping_add(code);
            rank = rank.wrapping_add(self.rows.before.get(at).copied().unwrap_or(0));
            row = row.wrapping_sub(self.rows.strides[code]);
        }
        rank
    }

    /// Divides the ranks into parts of 2^`shift` and visits the head of every part that lies
    /// completely within the arrangements of `left`; the first of these has the rank `offset`. With
    /// a head, [`Multiset::unrank_digits_after`] does not need to find the first squares again.
    /// Visits parts in any order.
    pub fn each_head(&self, left: State, offset: u64, shift: u32, visit: &mut dyn FnMut(u64, Head)) {
        let codes = self.counts.len();
        shortcuts::each_head(&self.rows, codes, left, self.tails.length(), (offset, shift), visit);
    }

    /// The empty head, which all arrangements of a state share.
    pub fn no_head(&self, left: State) -> Head {
        Head::none(left)
    }

    /// The arrangement with a rank: for each binary digit of the codes, the set of squares whose code
    /// has it. Past the end of the numbering, returns the last arrangement.
    ///
    /// # Panics
    /// If there are more than 64 squares.
    #[inline]
    pub fn unrank_digits(&self, rank: u64) -> [u64; 4] {
        let rank = rank.min(self.start.total - 1);
        self.unrank_digits_after(self.heads.of(rank), rank)
    }

    /// The arrangement with a rank among the arrangements of the state of the head, which must cover
    /// the rank: for other ranks the result is meaningless.
    ///
    /// # Panics
    /// If there are more than 64 squares, or the head does not cover the rank.
    #[inline]
    pub fn unrank_digits_after(&self, head: &Head, rank: u64) -> [u64; 4] {
        assert!(head.whole() <= 64, "a set has at most 64 squares");
        let (mut digits, first, row, rank) = head.digits(rank);
        let tail = self.tails.length();
        // Without a tail a head is empty.
        let last = head.whole().saturating_sub(tail);
        let count = if head.whole() < tail { head.whole() } else { last - first };
        let (row, rank) = self.rows.each(row, rank, count, |square, code| {
            for (digit, set) in digits.iter_mut().enumerate() {
                *set |= ((code >> digit & 1) as u64) << (first + square);
            }
        });
        if head.whole() >= tail && tail > 0 {
            let ends = self.tails.digits(row, rank);
            digits.iter_mut().zip(ends).for_each(|(digits, end)| *digits |= end << last);
        }
        digits
    }
}
