//! Sets of k of n squares as bit masks, ranked in colexicographic order: by greatest square, then
//! the next. This order does not depend on n, and is the order of the masks as integers.

use crate::error::IndexError;

/// The number of ways to choose `k` of `n`; `None` if it needs more than 128 bits.
pub fn binomial(n: u32, k: u32) -> Option<u128> {
    if k > n {
        return Some(0);
    }
    if n <= 64 {
        return Some(u128::from(CHOOSE[k as usize][n as usize]));
    }
    let mut product = 1_u128;
    for i in 0..k.min(n - k) {
        // Exact: a product of i + 1 consecutive numbers is a multiple of (i + 1)!.
        product = product.checked_mul(u128::from(n - i))? / u128::from(i + 1);
    }
    Some(product)
}

/// `CHOOSE[k][n]` is n choose k, which fits 64 bits up to n = 64. The numbers for one size of set
/// are contiguous, since a conversion uses few sizes and many squares.
static CHOOSE: [[u64; 65]; 65] = choose();

const fn choose() -> [[u64; 65]; 65] {
    let mut choose = [[0_u64; 65]; 65];
    let mut n = 0;
    while n < 65 {
        choose[0][n] = 1;
        let mut k = 1;
        while k <= n {
            choose[k][n] = choose[k - 1][n - 1] + choose[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    choose
}

/// The rank of a set of `count` squares among the sets of this size.
#[inline(always)]
pub(crate) fn colex_rank(count: u32, set: u64) -> u64 {
    let (mut rest, mut rank) = (set, 0);
    for row in &CHOOSE[1..=count as usize] {
        // The mask shows the compiler that the index is below 64.
        rank += row[(rest.trailing_zeros() & 63) as usize];
        rest &= rest.wrapping_sub(1);
    }
    rank
}

/// The greatest square below `end` with at most `rank` sets of `count` squares below it, and the
/// number of these sets. This is the greatest square of the set with the rank `rank`, and the part
/// of the rank that it accounts for. `rank` must be below "`end` choose `count`".
#[inline(always)]
pub(crate) fn greatest_square(count: u32, end: u32, rank: u64) -> (u32, u64) {
    let row = &CHOOSE[count as usize];
    let mut square = end;
    loop {
        // The loop ends, because the square 0 satisfies the condition.
        square -= 1;
        let below = row[square as usize];
        if below <= rank {
            return (square, below);
        }
    }
}

/// The numbering of the subsets of `n` squares, n ≤ 64, for every size of subset.
#[derive(Clone, Debug)]
pub struct Combinations {
    squares: u32,
}

impl Combinations {
    /// Creates the numbering of the subsets of `squares` squares.
    ///
    /// # Errors
    /// If there are more than 64 squares.
    pub fn new(squares: u32) -> Result<Combinations, IndexError> {
        if squares > 64 {
            return Err(IndexError::TooManySquares { squares });
        }
        Ok(Combinations { squares })
    }

    /// The number of subsets of `k` squares.
    pub fn count(&self, k: u32) -> u64 {
        if k > self.squares { 0 } else { CHOOSE[k as usize][self.squares as usize] }
    }

    /// The rank of a set among the sets of its size.
    pub fn rank(&self, mask: u64) -> u64 {
        colex_rank(mask.count_ones(), mask)
    }

    /// The set of `k` squares with a rank; `None` past the end.
    pub fn unrank(&self, k: u32, rank: u64) -> Option<u64> {
        if rank >= self.count(k) {
            return None;
        }
        let (mut rank, mut mask, mut end) = (rank, 0, self.squares);
        for taken in (1..=k).rev() {
            let (square, below) = greatest_square(taken, end, rank);
            rank -= below;
            mask |= 1 << square;
            end = square;
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
    fn binomials_satisfy_pascals_triangle() {
        for n in 1..=130 {
            assert_eq!((binomial(n, 0), binomial(n, n), binomial(n, n + 1)), (Some(1), Some(1), Some(0)));
            for k in 1..n {
                let sum = binomial(n - 1, k - 1).zip(binomial(n - 1, k)).map(|(a, b)| a.checked_add(b));
                // An intermediate product may exceed 128 bits even if the result does not.
                if let Some(found) = binomial(n, k) {
                    assert_eq!(sum, Some(Some(found)), "{n} choose {k}");
                } else {
                    assert!(n > 120, "{n} choose {k}");
                }
            }
        }
        assert_eq!(binomial(0, 0), Some(1));
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
