//! Arrangements of a multiset: strings in which every code stands a given number of times, numbered in
//! lexicographic order.
//!
//! What is left to place is a state, the counts as digits of a mixed radix. For every state and code a table
//! holds how many arrangements of the rest begin with a smaller code, so a conversion is one look a square;
//! the next state is a subtraction, not a further look, so that the looks of a rank do not wait for each other.

use crate::IndexError;

/// States whose table is still built: 2²² of them take half a gigabyte with 16 codes.
const MOST_STATES: u128 = 1 << 22;
/// Codes that a row of the table can have.
const MOST_CODES: usize = 16;

/// The numbering of the arrangements of a multiset of codes 0, 1, ….
#[derive(Clone, Debug)]
pub struct Multiset {
    counts: Vec<u32>,
    length: usize,
    total: u64,
    /// What the placing of a code takes from the number of the state.
    strides: [u32; MOST_CODES],
    /// log₂ of the width of a row.
    shift: u32,
    start: u32,
    /// A row a state: for every code the arrangements that begin with a smaller one, `u64::MAX` for codes
    /// that are used up and for the filling of the row.
    before: Vec<u64>,
}

impl Multiset {
    /// The arrangements in which code c stands `counts[c]` times.
    ///
    /// # Errors
    /// If there are more of them than 64 bits can number, or the table would be too large.
    pub fn new(counts: &[u32]) -> Result<Multiset, IndexError> {
        if counts.len() > MOST_CODES {
            return Err(IndexError::TooManyCodes { codes: counts.len(), limit: MOST_CODES });
        }
        let states = counts.iter().try_fold(1_u128, |product, &n| product.checked_mul(u128::from(n) + 1));
        let states = states.unwrap_or(u128::MAX);
        if states > MOST_STATES {
            return Err(IndexError::TooManyStates { states, limit: MOST_STATES });
        }
        let states = states as usize;
        let mut strides = [0; MOST_CODES];
        let mut stride = 1;
        for (place, &count) in strides.iter_mut().zip(counts) {
            *place = stride;
            stride *= count + 1;
        }
        let width = counts.len().max(1).next_power_of_two();
        let mut before = vec![u64::MAX; states * width];
        // Arrangements of each state, `None` past 64 bits; a state is less than the states before it.
        let mut ways = vec![Some(1_u64); states];
        for state in 1..states {
            let mut sum = Some(0_u64);
            for (code, &count) in counts.iter().enumerate() {
                if (state as u32 / strides[code]).is_multiple_of(count + 1) {
                    continue;
                }
                before[state * width + code] = sum.unwrap_or(u64::MAX);
                let next = ways[state - strides[code] as usize];
                sum = sum.zip(next).and_then(|(sum, next)| sum.checked_add(next));
            }
            ways[state] = sum;
        }
        let total = ways[states - 1].ok_or(IndexError::TooMany)?;
        let length = counts.iter().map(|&n| n as usize).sum();
        let (shift, start) = (width.trailing_zeros(), states as u32 - 1);
        Ok(Multiset { counts: counts.to_vec(), length, total, strides, shift, start, before })
    }

    /// The number of arrangements.
    pub fn count(&self) -> u128 {
        u128::from(self.total)
    }

    /// The number of squares of an arrangement.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The number of an arrangement, most significant code first. What is no arrangement of this multiset
    /// gets a meaningless number; [`Multiset::checked_rank`] tells.
    #[inline]
    pub fn rank(&self, codes: &[u8]) -> u64 {
        let (mut state, mut rank) = (self.start, 0_u64);
        for &code in codes {
            let code = usize::from(code) & (MOST_CODES - 1);
            let at = ((state as usize) << self.shift) + code;
            rank = rank.wrapping_add(self.before.get(at).copied().unwrap_or(0));
            state = state.wrapping_sub(self.strides[code]);
        }
        rank
    }

    /// The number of an arrangement, or `None` if this is none of them.
    pub fn checked_rank(&self, codes: &[u8]) -> Option<u64> {
        let mut left = self.counts.clone();
        for &code in codes {
            let left = left.get_mut(usize::from(code))?;
            *left = left.checked_sub(1)?;
        }
        (codes.len() == self.length).then(|| self.rank(codes))
    }

    /// Writes the arrangement that has a number into `codes`, which has [`Multiset::length`] places (further
    /// ones stay as they are); past the end of the numbering it is the last one.
    #[inline]
    pub fn unrank(&self, rank: u64, codes: &mut [u8]) {
        let (mut state, mut rank) = (self.start as usize, rank.min(self.total - 1));
        for place in codes.iter_mut().take(self.length) {
            let row = &self.before[state << self.shift..(state + 1) << self.shift];
            // Codes that are used up count as past the end, so the last one not past it is the code.
            let (mut code, mut below) = (0, 0);
            for (candidate, &before) in row.iter().enumerate() {
                let fits = before <= rank;
                code = if fits { candidate } else { code };
                below = if fits { before } else { below };
            }
            *place = code as u8;
            rank -= below;
            state -= self.strides[code & (MOST_CODES - 1)] as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every arrangement in lexicographic order, by choosing the first code in every way.
    fn arrangements(left: &mut Vec<u32>, prefix: &mut Vec<u8>, all: &mut Vec<Vec<u8>>) {
        if left.iter().all(|&n| n == 0) {
            all.push(prefix.clone());
        }
        for code in 0..left.len() {
            if left[code] > 0 {
                left[code] -= 1;
                prefix.push(code as u8);
                arrangements(left, prefix, all);
                prefix.pop();
                left[code] += 1;
            }
        }
    }

    #[test]
    fn every_small_multiset_is_numbered_in_order() {
        for shape in 0..4_u32.pow(5) {
            let mut counts: Vec<u32> = (0..5).map(|code| shape / 4_u32.pow(code) % 4).collect();
            if counts.iter().sum::<u32>() > 8 {
                continue;
            }
            let numbering = Multiset::new(&counts).unwrap();
            let mut all = Vec::new();
            arrangements(&mut counts, &mut Vec::new(), &mut all);
            assert_eq!(numbering.count(), all.len() as u128);
            let mut codes = vec![0; numbering.length()];
            for (rank, arrangement) in all.iter().enumerate() {
                assert_eq!(numbering.rank(arrangement), rank as u64);
                assert_eq!(numbering.checked_rank(arrangement), Some(rank as u64));
                numbering.unrank(rank as u64, &mut codes);
                assert_eq!(&codes, arrangement);
            }
        }
    }

    #[test]
    fn the_standard_push_fight_board_has_its_count() {
        let numbering = Multiset::new(&[16, 2, 3, 2, 2, 1]).unwrap();
        assert_eq!(numbering.count(), 401_567_166_000);
        let mut codes = [0; 26];
        for rank in (0..401_567_166_000).step_by(40_156_716_599) {
            numbering.unrank(rank, &mut codes);
            assert_eq!(numbering.checked_rank(&codes), Some(rank));
        }
    }

    #[test]
    fn what_cannot_be_numbered_is_refused() {
        assert_eq!(Multiset::new(&[40, 40]).unwrap_err(), IndexError::TooMany);
        assert!(matches!(Multiset::new(&[u32::MAX; 5]), Err(IndexError::TooManyStates { .. })));
        assert!(matches!(Multiset::new(&[0; 17]), Err(IndexError::TooManyCodes { .. })));
        let numbering = Multiset::new(&[1, 2]).unwrap();
        for bad in [&[0, 0, 1][..], &[0, 1], &[0, 1, 2], &[0, 1, 1, 1], &[255; 3]] {
            assert_eq!(numbering.checked_rank(bad), None);
            numbering.rank(bad);
        }
        let mut codes = [9; 5];
        numbering.unrank(u64::MAX, &mut codes);
        assert_eq!(codes, [1, 1, 0, 9, 9]);
    }
}
