//! Groups of symmetries of a board, and the least image of an arrangement under all of them.

use std::collections::HashSet;

use crate::error::IndexError;
use crate::symmetry::board_symmetry::BoardSymmetry;

/// The largest order of a group. A product of small boards, or a four-dimensional cube, has a few
/// hundred symmetries.
const MAX_ORDER: usize = 1 << 12;

/// A group of symmetries of a board with up to 64 squares: any two of them, one after the other,
/// are again one of them. The first one is the identity.
///
/// ```
/// use retrograde_index::SymmetryGroup;
///
/// // Four squares in a ring: a quarter turn and a reflection generate eight symmetries.
/// let ring = SymmetryGroup::generated_by(4, &[[1, 2, 3, 0], [3, 2, 1, 0]])?;
/// assert_eq!(ring.order(), 8);
/// assert_eq!(ring.canonical([0b1000, 0b0010]), [0b0001, 0b0100]);
/// # Ok::<(), retrograde_index::IndexError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SymmetryGroup {
    symmetries: Vec<BoardSymmetry>,
    /// The inverse of each symmetry.
    inverses: Vec<usize>,
    squares: u32,
}

/// The composition of two permutations: `first`, then `second`.
fn after(first: &[u8], second: &[u8]) -> Vec<u8> {
    first.iter().map(|&square| second[usize::from(square)]).collect()
}

impl SymmetryGroup {
    /// Creates the group with these permutations; square s moves to `permutation[s]`.
    ///
    /// # Errors
    /// If one of them is not a permutation of up to 64 squares, they have different lengths, there
    /// are too many, they are not closed, or one is repeated.
    pub fn new<P: AsRef<[u8]>>(permutations: &[P]) -> Result<SymmetryGroup, IndexError> {
        if permutations.len() > MAX_ORDER {
            return Err(IndexError::LargeGroup { limit: MAX_ORDER });
        }
        let mut all: Vec<&[u8]> = permutations.iter().map(AsRef::as_ref).collect();
        let squares = all.first().ok_or(IndexError::NotAGroup)?.len();
        for permutation in &all {
            BoardSymmetry::new(permutation)?;
            if permutation.len() != squares {
                return Err(IndexError::NotAPermutation { squares });
            }
        }
        let known: HashSet<&[u8]> = all.iter().copied().collect();
        let closed = |a: &&[u8]| all.iter().all(|b| known.contains(&after(a, b)[..]));
        if known.len() != all.len() || !all.iter().all(closed) {
            return Err(IndexError::NotAGroup);
        }
        let identity: Vec<u8> = (0..squares as u8).collect();
        // A closed set of permutations contains the identity.
        let first = all.iter().position(|permutation| *permutation == identity).unwrap_or(0);
        all[..=first].rotate_right(1);
        let inverse = |a: &&[u8]| all.iter().position(|b| after(a, b) == identity).unwrap_or(0);
        let inverses = all.iter().map(inverse).collect();
        let symmetries = all.iter().map(|all| BoardSymmetry::new(all)).collect::<Result<_, _>>()?;
        Ok(SymmetryGroup { symmetries, inverses, squares: squares as u32 })
    }

    /// Creates the smallest group on a board of `squares` squares that contains these symmetries.
    ///
    /// # Errors
    /// If one of them is not a permutation of the squares, there are more than 64 squares, or the
    /// group is too large.
    pub fn generated_by<P: AsRef<[u8]>>(squares: u32, generators: &[P]) -> Result<SymmetryGroup, IndexError> {
        if squares > 64 {
            return Err(IndexError::TooManySquares { squares });
        }
        for generator in generators {
            if BoardSymmetry::new(generator.as_ref())?.permutation().len() != squares as usize {
                return Err(IndexError::NotAPermutation { squares: squares as usize });
            }
        }
        let mut all: Vec<Vec<u8>> = vec![(0..squares as u8).collect()];
        let mut known: HashSet<Vec<u8>> = all.iter().cloned().collect();
        let mut at = 0;
        while at < all.len() {
            for generator in generators {
                let next = after(&all[at], generator.as_ref());
                if known.insert(next.clone()) {
                    all.push(next);
                }
            }
            if all.len() > MAX_ORDER {
                return Err(IndexError::LargeGroup { limit: MAX_ORDER });
            }
            at += 1;
        }
        SymmetryGroup::new(&all)
    }

    /// The number of symmetries, including the identity.
    pub fn order(&self) -> usize {
        self.symmetries.len()
    }

    /// The number of squares of the board.
    pub fn squares(&self) -> u32 {
        self.squares
    }

    /// The symmetries, identity first.
    pub fn symmetries(&self) -> &[BoardSymmetry] {
        &self.symmetries
    }

    /// The inverse of a symmetry; both are places in [`SymmetryGroup::symmetries`].
    pub(crate) fn inverse(&self, symmetry: usize) -> usize {
        self.inverses[symmetry]
    }

    /// The canonical form of an arrangement: its least image. All images have the same canonical
    /// form. Sets are compared as masks, first set first.
    pub fn canonical<const K: usize>(&self, sets: [u64; K]) -> [u64; K] {
        let mut least = sets;
        for symmetry in &self.symmetries[1..] {
            let mut less = false;
            let mut image = [0; K];
            for at in 0..K {
                image[at] = symmetry.image(sets[at]);
                // For most images, the first set already shows that they are greater.
                if !less && image[at] > least[at] {
                    break;
                }
                less |= image[at] < least[at];
                if less && at + 1 == K {
                    least = image;
                }
            }
        }
        least
    }

    /// The number of arrangements with these counts up to symmetry. `None` if it needs more than
    /// 128 bits, the pieces do not fit on the board, or counting takes too much memory.
    pub fn orbits(&self, counts: &[u32]) -> Option<u128> {
        let taken = counts.iter().try_fold(0_u32, |sum, &count| sum.checked_add(count))?;
        let empty = self.squares.checked_sub(taken)?;
        let group: Vec<Vec<usize>> = self
            .symmetries
            .iter()
            .map(|symmetry| symmetry.permutation().iter().map(|&to| usize::from(to)).collect())
            .collect();
        crate::orbits(&group, &[&[empty], counts].concat()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_generated_completely() {
        let turn = [2, 5, 8, 1, 4, 7, 0, 3, 6];
        let mirror = [2, 1, 0, 5, 4, 3, 8, 7, 6];
        for (generators, order) in [(vec![], 1), (vec![turn], 4), (vec![mirror], 2), (vec![turn, mirror], 8)]
        {
            let group = SymmetryGroup::generated_by(9, &generators).unwrap();
            assert_eq!(group.order(), order);
            assert_eq!(group.symmetries()[0].permutation(), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
            for (at, symmetry) in group.symmetries().iter().enumerate() {
                let back = &group.symmetries()[group.inverse(at)];
                assert!((0..512).all(|set| back.image(symmetry.image(set)) == set));
            }
            let mut listed: Vec<&[u8]> = group.symmetries().iter().map(|one| one.permutation()).collect();
            listed.reverse();
            let again = SymmetryGroup::new(&listed).unwrap();
            assert_eq!(again.symmetries()[0], group.symmetries()[0]);
            // Compares with the least of all images.
            for (own, other) in (0..512).flat_map(|own| [(own, !own & 0o252), (own, !own & 0o111)]) {
                let images = group.symmetries().iter().map(|one| [one.image(own), one.image(other)]);
                assert_eq!(Some(group.canonical([own, other])), images.min());
            }
            let canonical = |own: &u64| group.canonical([*own]) == [*own];
            for count in 0..=9 {
                let sets = (0..512_u64).filter(|own| own.count_ones() == count);
                assert_eq!(group.orbits(&[count]), Some(sets.filter(canonical).count() as u128));
            }
            assert_eq!(group.orbits(&[5, 5]), None);
        }
    }

    #[test]
    fn lists_that_are_not_groups_are_rejected() {
        let refused = |permutations: &[&[u8]]| SymmetryGroup::new(permutations).unwrap_err();
        assert_eq!(refused(&[]), IndexError::NotAGroup);
        assert_eq!(refused(&[&[1, 2, 0]]), IndexError::NotAGroup);
        assert_eq!(refused(&[&[0, 1, 2], &[1, 2, 0]]), IndexError::NotAGroup);
        assert_eq!(refused(&[&[0, 1], &[0, 1]]), IndexError::NotAGroup);
        assert_eq!(refused(&[&[0, 0]]), IndexError::NotAPermutation { squares: 2 });
        assert_eq!(refused(&[&[0, 1], &[0, 1, 2]]), IndexError::NotAPermutation { squares: 2 });
        let ring: Vec<u8> = (0..9).map(|square| (square + 1) % 9).collect();
        let swap = [1, 0, 2, 3, 4, 5, 6, 7, 8];
        let all = SymmetryGroup::generated_by(9, &[&ring[..], &swap]).unwrap_err();
        assert_eq!(all, IndexError::LargeGroup { limit: MAX_ORDER });
        let short = SymmetryGroup::generated_by(3, &[[1, 0]]).unwrap_err();
        assert_eq!(short, IndexError::NotAPermutation { squares: 3 });
    }
}
