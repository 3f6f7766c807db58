//! The first sets of each size in colexicographic order, as lists. The order does not depend on the
//! board, so one list serves all universes. Unranking takes one lookup, or, past the end of the
//! list, first finds the greatest squares one by one.

use crate::sets::combinations::{Combinations, greatest_square};
use crate::sets::subsets;

/// The most sets in a list. At 4 bytes per set, a list takes 64 KiB.
const LENGTH: u64 = 1 << 14;
/// Only sets on the lowest squares, at most this number, are listed.
const SQUARES: u32 = 32;

/// Lists of the sets of 0, 1, 2, … squares.
#[derive(Clone, Debug)]
pub(crate) struct ColexLists(Vec<Vec<u32>>);

impl ColexLists {
    /// Creates the lists for sets of at most `most` of `squares` squares.
    pub fn new(squares: u32, most: u32) -> ColexLists {
        let squares = squares.min(SQUARES);
        let board = if squares == 0 { 0 } else { u64::MAX >> (64 - squares) };
        let list = |size| {
            let length = Combinations::new(squares).map_or(0, |sets| sets.count(size)).min(LENGTH);
            let first = (size <= squares).then(|| subsets::first(size, board));
            let sets = std::iter::successors(first, |&set| subsets::next(set, board));
            sets.take(length as usize).map(|set| set as u32).collect()
        };
        ColexLists((0..=most).map(list).collect())
    }

    /// The set with a rank among the sets of `count` of the lowest `squares` squares. `rank` must
    /// be below "`squares` choose `count`", and `count` at most the `most` of [`ColexLists::new`].
    #[inline(always)]
    pub fn set(&self, count: u32, squares: u32, rank: u64) -> u64 {
        let (mut rank, mut greater, mut end) = (rank, 0, squares);
        for count in (0..=count).rev() {
            if let Some(&set) = self.0[count as usize].get(rank as usize) {
                return greater | u64::from(set);
            }
            let (square, below) = greatest_square(count, end, rank);
            rank -= below;
            greater |= 1 << square;
            end = square;
        }
        greater
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_agree_with_combinations() {
        for (squares, most) in [(0, 0), (1, 1), (7, 7), (24, 12), (33, 5), (40, 40), (64, 9), (64, 64)] {
            let lists = ColexLists::new(squares, most);
            for used in [squares, squares.saturating_sub(1), squares / 2] {
                let sets = Combinations::new(used).unwrap();
                for count in 0..=most.min(used) {
                    let all = sets.count(count);
                    let few = [0, 1, 2, LENGTH - 1, LENGTH, LENGTH + 1, all / 7 * 3, all / 2, all - 1];
                    let many = (0..2000).filter_map(|part| (all / 2000 * part).checked_add(part));
                    for rank in few.into_iter().chain(many).filter(|&rank| rank < all) {
                        assert_eq!(Some(lists.set(count, used, rank)), sets.unrank(count, rank));
                    }
                }
            }
        }
    }
}
