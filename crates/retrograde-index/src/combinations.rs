//! Sets of k of n squares as bit masks, numbered in colexicographic order: by their greatest
//! square, then the next. That order does not depend on n, and it is the order of the masks as
//! integers.

use crate::error::IndexError;

/// The number of ways to choose `k` of `n`; `None` past 128 bits.
pub fn binomial(n: u32, k: u32) -> Option<u128> {
    if k > n {
        return Some(0);
    }
    let mut product = 1_u128;
    for i in 0..k.min(n - k) {
        // Exact: a product of i + 1 numbers in a row is a multiple of (i + 1)!.
        product = product.checked_mul(u128::from(n - i))? / u128::from(i + 1);
    }
    Some(product)
}

/// `CHOOSE[n][k]`; n choose k fits 64 bits up to n = 64.
static CHOOSE: [[u64; 65]; 65] = choose();

const fn choose() -> [[u64; 65]; 65] {
    let mut choose = [[0_u64; 65]; 65];
    choose[0][0] = 1;
    let mut n = 1;
    while n < 65 {
        choose[n][0] = 1;
        let mut k = 1;
        while k <= n {
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choose
}

/// The numbering of the subsets of `n` squares, n ≤ 64, for every size of subset.
#[derive(Clone, Debug)]
pub struct Combinations {
    squares: u32,
}

impl Combinations {
    /// Subsets of so many squares.
    ///
    /// # Errors
    /// If they are more than 64.
    pub fn new(squares: u32) -> Result<Combinations, IndexError> {
        if squares > 64 {
            return Err(IndexError::TooManySquares { squares });
        }
        Ok(Combinations { squares })
    }

    /// The number of subsets of `k` squares.
    pub fn count(&self, k: u32) -> u64 {
        if k > self.squares { 0 } else { CHOOSE[self.squares as usize][k as usize] }
    }

    /// The number of a set among the sets of its size.
    pub fn rank(&self, mask: u64) -> u64 {
        let (mut rest, mut taken, mut rank) = (mask, 0, 0);
        while rest != 0 {
            taken += 1;
            rank += CHOOSE[rest.trailing_zeros() as usize][taken];
            rest &= rest - 1;
        }
        rank
    }

    /// The set of `k` squares that has a number; `None` past the end.
    pub fn unrank(&self, k: u32, rank: u64) -> Option<u64> {
        if rank >= self.count(k) {
            return None;
        }
        let (mut rank, mut mask, mut square) = (rank, 0, self.squares as usize);
        for taken in (1..=k as usize).rev() {
            // The greatest square whose number does not pass the rest; it exists, as 0 is reached.
            loop {
                square -= 1;
                if CHOOSE[square][taken] <= rank {
                    break;
                }
            }
            rank -= CHOOSE[square][taken];
            mask |= 1 << square;
        }
        Some(mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_numbered_in_the_order_of_their_masks() {
        for n in 0..=12 {
            let sets = Combinations::new(n).unwrap();
            for k in 0..=n + 1 {
                let masks: Vec<u64> = (0..1_u64 << n).filter(|mask| mask.count_ones() == k).collect();
                assert_eq!(sets.count(k), masks.len() as u64);
                assert_eq!(u128::from(sets.count(k)), binomial(n, k).unwrap());
                for (rank, &mask) in masks.iter().enumerate() {
                    assert_eq!(sets.rank(mask), rank as u64);
                    assert_eq!(sets.unrank(k, rank as u64), Some(mask));
                }
                assert_eq!(sets.unrank(k, masks.len() as u64), None);
            }
        }
    }

    #[test]
    fn sets_of_64_squares_fit() {
        let sets = Combinations::new(64).unwrap();
        for k in 0..=64 {
            let last = sets.count(k) - 1;
            for rank in [0, last / 3, last] {
                assert_eq!(sets.rank(sets.unrank(k, rank).unwrap()), rank);
            }
        }
        assert_eq!(Combinations::new(65).unwrap_err(), IndexError::TooManySquares { squares: 65 });
    }
}
