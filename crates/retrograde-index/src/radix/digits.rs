//! Numbers of arrangements with given counts, in mixed radix with one digit per set, the last one
//! least significant. The digit of a set is its colexicographic rank among the sets of its size on
//! the squares that the previous sets leave free.

use crate::error::IndexError;
use crate::radix::divisor::Divisor;
use crate::sets::bits::Bits;
use crate::sets::colex_lists::ColexLists;
use crate::sets::colex_ranks::ColexRanks;
use crate::sets::combinations::Combinations;

/// The digits of arrangements with the same counts.
#[derive(Clone, Debug)]
pub(crate) struct Digits<const K: usize> {
    pub counts: [u32; K],
    /// The radix of each set: the number of sets of its size on the squares that the previous sets
    /// leave free.
    radices: [u64; K],
    divisors: [Divisor; K],
}

impl<const K: usize> Digits<K> {
    /// Creates the digits for counts on `squares` squares.
    ///
    /// # Errors
    /// If there are more than 64 squares.
    pub fn new(squares: u32, counts: [u32; K]) -> Result<Digits<K>, IndexError> {
        let (mut free, mut radices) = (squares, [0; K]);
        for (radix, count) in radices.iter_mut().zip(counts) {
            *radix = Combinations::new(free)?.count(count);
            free = free.saturating_sub(count);
        }
        Ok(Digits { counts, radices, divisors: radices.map(Divisor::new) })
    }

    /// The number of arrangements of the sets from `first` on, given the previous sets; `None` if
    /// it needs more than 64 bits.
    pub fn count_from(&self, first: usize) -> Option<u64> {
        self.radices[first..].iter().try_fold(1_u64, |count, &radix| count.checked_mul(radix))
    }

    /// The number of the first arrangement whose first set has this rank.
    #[inline]
    pub fn after_first(&self, rank: u64) -> u64 {
        self.radices[1..].iter().fold(rank, |number, radix| number * radix)
    }

    /// Appends the digits of the sets from `first` on to `head`, the number of the previous sets.
    /// `free` are the squares that those leave free. The sets must be disjoint and within `free`.
    #[inline(always)]
    pub fn rank<B: Bits>(
        &self,
        bits: B,
        ranks: &ColexRanks,
        first: usize,
        head: u64,
        sets: &[u64; K],
        mut free: u64,
    ) -> u64 {
        let mut number = head;
        for (at, &set) in sets.iter().enumerate().skip(first) {
            // Gathering on a whole board changes nothing.
            let gathered = if at == 0 { set } else { bits.gather(set, free) };
            number = number * self.radices[at] + ranks.rank(self.counts[at], gathered);
            free ^= set;
        }
        number
    }

    /// The number of the sets before `first`, and the digits of the others.
    #[inline(always)]
    pub fn split(&self, first: usize, number: u64) -> (u64, [u64; K]) {
        let (mut head, mut digits) = (number, [0; K]);
        for at in (first..K).rev() {
            (head, digits[at]) = self.divisors[at].divide(head);
        }
        (head, digits)
    }

    /// Replaces the digits of the sets from `first` on by the sets, on the squares that the
    /// previous sets leave free.
    #[inline(always)]
    pub fn unrank<B: Bits>(
        &self,
        bits: B,
        lists: &ColexLists,
        first: usize,
        sets: &mut [u64; K],
        mut free: u64,
    ) {
        let mut squares = free.count_ones();
        for (at, place) in sets.iter_mut().enumerate().skip(first) {
            let set = lists.set(self.counts[at], squares, *place);
            *place = if at == 0 { set } else { bits.scatter(set, free) };
            free ^= *place;
            squares -= self.counts[at];
        }
    }
}
