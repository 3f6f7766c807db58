//! The sets of one size up to symmetry: the class of a set, and the symmetry that maps it to the
//! representative of the class.

use std::collections::HashMap;

use crate::error::IndexError;
use crate::sets::colex_ranks::ColexRanks;
use crate::sets::combinations::{Combinations, colex_rank};
use crate::sets::subsets;
use crate::symmetry::symmetry_group::SymmetryGroup;

/// The most sets of a size: the table takes 4 bytes for each.
pub(super) const MAX_SETS: u64 = 1 << 25;

/// The classes of the sets of one size.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    count: u32,
    /// By the rank of a set among those of its size: the class in the upper bits, the symmetry in
    /// the lower bits.
    table: Vec<u32>,
    symmetry_bits: u32,
    /// The least set of each class, ascending.
    representatives: Vec<u64>,
    /// By class: the element of `stabilisers` for its representative.
    stabiliser: Vec<u16>,
    /// Lists of symmetries except the identity; the first list is empty.
    stabilisers: Vec<Vec<u16>>,
}

/// The number of bits for the number of a symmetry.
fn symmetry_bits(group: &SymmetryGroup) -> u32 {
    usize::BITS - (group.order() - 1).leading_zeros()
}

/// The number of classes of sets of a size, and the memory of their tables in bytes.
///
/// # Errors
/// If the tables would be too large.
pub(super) fn size(group: &SymmetryGroup, count: u32) -> Result<(u64, u64), IndexError> {
    let sets = Combinations::new(group.squares())?.count(count);
    let too_many = IndexError::TooManyStates { states: u128::from(sets), limit: u128::from(MAX_SETS) };
    if sets > MAX_SETS {
        return Err(too_many);
    }
    let classes = group.orbits(&[count]).ok_or(too_many)? as u64;
    // There are fewer classes than sets, but in a large group not by a factor of its order.
    if classes.leading_zeros() < 32 + symmetry_bits(group) {
        return Err(too_many);
    }
    Ok((classes, sets * 4 + classes * 10))
}

impl Classes {
    /// Creates the classes of sets with `count` squares. [`size`] must succeed for them.
    pub fn new(group: &SymmetryGroup, count: u32) -> Classes {
        const VACANT: u32 = u32::MAX;
        let squares = group.squares();
        let sets = Combinations::new(squares).map_or(0, |sets| sets.count(count));
        let symmetry_bits = symmetry_bits(group);
        let mut table = vec![VACANT; sets as usize];
        let (mut representatives, mut stabiliser) = (Vec::new(), Vec::new());
        let (mut stabilisers, mut known) = (vec![Vec::new()], HashMap::from([(Vec::new(), 0)]));
        let board = if squares == 0 { 0 } else { u64::MAX >> (64 - squares) };
        let first = (count <= squares).then(|| subsets::first(count, board));
        let ascending = std::iter::successors(first, |&set| subsets::next(set, board));
        for (rank, set) in ascending.enumerate() {
            if table[rank] != VACANT {
                continue;
            }
            // The first set of a class that is visited is its least one.
            let class = representatives.len() as u32;
            let mut leave_it = Vec::new();
            for (at, symmetry) in group.symmetries().iter().enumerate() {
                let image = symmetry.image(set);
                let place = &mut table[colex_rank(count, image) as usize];
                if *place == VACANT {
                    *place = class << symmetry_bits | group.inverse(at) as u32;
                }
                if at > 0 && image == set {
                    leave_it.push(at as u16);
                }
            }
            let next = stabilisers.len() as u16;
            stabiliser.push(*known.entry(leave_it).or_insert_with_key(|list| {
                stabilisers.push(list.clone());
                next
            }));
            representatives.push(set);
        }
        Classes { count, table, symmetry_bits, representatives, stabiliser, stabilisers }
    }

    /// The memory of the tables in bytes.
    #[cfg(test)]
    pub fn bytes(&self) -> u64 {
        (self.table.len() * 4 + self.representatives.len() * 8 + self.stabiliser.len() * 2) as u64
    }

    /// The class of a set, and the symmetry that maps the set to its representative.
    #[inline]
    pub fn class(&self, ranks: &ColexRanks, set: u64) -> (usize, usize) {
        let entry = self.table[ranks.rank(self.count, set) as usize];
        ((entry >> self.symmetry_bits) as usize, (entry & ((1 << self.symmetry_bits) - 1)) as usize)
    }

    /// The least set of a class.
    #[inline]
    pub fn representative(&self, class: usize) -> u64 {
        self.representatives[class]
    }

    /// The symmetries except the identity that fix the representative.
    #[inline]
    pub fn stabiliser(&self, class: usize) -> &[u16] {
        &self.stabilisers[usize::from(self.stabiliser[class])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_agree_with_all_images() {
        let turn = [3, 0, 7, 2, 6, 1, 5, 4];
        for generators in [vec![], vec![turn]] {
            let group = SymmetryGroup::generated_by(8, &generators).unwrap();
            for count in 0..=8 {
                let classes = Classes::new(&group, count);
                let (expected, bytes) = size(&group, count).unwrap();
                assert_eq!(classes.representatives.len() as u64, expected);
                assert_eq!(bytes, classes.bytes());
                assert!(classes.representatives.is_sorted());
                for set in (0..256_u64).filter(|set| set.count_ones() == count) {
                    let (class, symmetry) = classes.class(&ColexRanks::new(8), set);
                    let [least] = group.canonical([set]);
                    assert_eq!(classes.representative(class), least);
                    assert_eq!(group.symmetries()[symmetry].image(set), least);
                    let fixes = |at: &u16| group.symmetries()[usize::from(*at)].image(least) == least;
                    let order = 1..group.order() as u16;
                    assert_eq!(classes.stabiliser(class), order.filter(fixes).collect::<Vec<_>>());
                }
            }
        }
    }
}
