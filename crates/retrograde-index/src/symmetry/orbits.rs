//! Counts arrangements up to symmetry with Burnside's lemma: the number of orbits is the average,
//! over the symmetries, of the number of arrangements that a symmetry fixes. Nothing is enumerated.

use crate::error::IndexError;

/// The number of arrangements with colour c on `counts[c]` squares that a permutation of the
/// squares fixes: every cycle has one colour. Square s moves to `permutation[s]`.
///
/// # Errors
/// If the list is not a permutation, the counts do not add up to its length, or the result needs
/// more than 128 bits.
pub fn fixed_arrangements(permutation: &[usize], counts: &[u32]) -> Result<u128, IndexError> {
    let squares = permutation.len();
    let sum: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    if sum != squares as u64 {
        return Err(IndexError::WrongSum { sum, squares });
    }
    let mut met = vec![false; squares];
    let mut cycles = Vec::new();
    for from in 0..squares {
        let (mut at, mut length) = (from, 0);
        while !std::mem::replace(met.get_mut(at).ok_or(IndexError::NotAPermutation { squares })?, true) {
            at = permutation[at];
            length += 1;
        }
        if length > 0 {
            // If the walk does not return to its start, two squares move to the same square.
            if at != from {
                return Err(IndexError::NotAPermutation { squares });
            }
            cycles.push(length);
        }
    }
    // The number of ways to colour the cycles so far, by the counts left of each colour as digits
    // of a mixed radix.
    let states = counts.iter().try_fold(1_u128, |product, &n| product.checked_mul(u128::from(n) + 1));
    let states = states
        .filter(|&n| n <= 1 << 22)
        .ok_or(IndexError::TooManyStates { states: states.unwrap_or(u128::MAX), limit: 1 << 22 })?
        as usize;
    let mut ways = vec![0_u128; states];
    ways[states - 1] = 1;
    for length in cycles {
        let mut next = vec![0_u128; states];
        for (state, &ways) in ways.iter().enumerate().filter(|&(_, &ways)| ways > 0) {
            let mut stride = 1;
            for &count in counts {
                let radix = count as usize + 1;
                if state / stride % radix >= length {
                    let place = &mut next[state - stride * length];
                    *place = place.checked_add(ways).ok_or(IndexError::TooMany)?;
                }
                stride *= radix;
            }
        }
        ways = next;
    }
    Ok(ways[0])
}

/// The number of arrangements up to symmetry. `group` lists every symmetry once, including the identity.
///
/// # Errors
/// The same as [`fixed_arrangements`]; also if the list is empty or the average is not a whole
/// number, because then it is not a group.
pub fn orbits(group: &[Vec<usize>], counts: &[u32]) -> Result<u128, IndexError> {
    let mut sum = 0_u128;
    for permutation in group {
        let fixed = fixed_arrangements(permutation, counts)?;
        sum = sum.checked_add(fixed).ok_or(IndexError::TooMany)?;
    }
    let order = group.len() as u128;
    if order == 0 || !sum.is_multiple_of(order) { Err(IndexError::NotAGroup) } else { Ok(sum / order) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::multiset::Multiset;
    use std::collections::HashSet;

    /// The eight symmetries of an `n` × `n` board, or the first two or four of its rotations.
    fn square(n: usize) -> Vec<Vec<usize>> {
        let turn = |p: &Vec<usize>| -> Vec<usize> { p.iter().map(|s| s % n * n + (n - 1 - s / n)).collect() };
        let mut group = vec![(0..n * n).collect::<Vec<_>>()];
        (0..3).for_each(|_| group.push(turn(group.last().unwrap())));
        let mirrored: Vec<Vec<usize>> =
            group.iter().map(|p| p.iter().map(|s| s / n * n + (n - 1 - s % n)).collect()).collect();
        group.extend(mirrored);
        group
    }

    #[test]
    fn orbits_agree_with_an_enumeration() {
        for (n, counts) in [(2, vec![2, 1, 1]), (2, vec![4]), (3, vec![4, 2, 3]), (3, vec![7, 1, 1])] {
            let group = square(n);
            for group in [&group[..1], &group[..4], &group[..]] {
                let numbering = Multiset::new(&counts).unwrap();
                let mut image = vec![0; n * n];
                let (mut fixed, mut least) = (vec![0; group.len()], HashSet::new());
                for rank in 0..numbering.count() as u64 {
                    let digits = numbering.unrank_digits(rank);
                    let code = |square: usize| {
                        (0..4).fold(0, |code, digit| code | (digits[digit] >> square & 1) << digit) as u8
                    };
                    let codes: Vec<u8> = (0..n * n).map(code).collect();
                    let mut smallest = rank;
                    for (permutation, fixed) in group.iter().zip(&mut fixed) {
                        (0..n * n).for_each(|s| image[permutation[s]] = codes[s]);
                        *fixed += u128::from(image == codes);
                        let pieces = (0..).zip(image.iter().copied()).filter(|&(_, code)| code != 0);
                        smallest = smallest.min(numbering.rank_sparse(numbering.start(), pieces));
                    }
                    least.insert(smallest);
                }
                for (permutation, fixed) in group.iter().zip(fixed) {
                    assert_eq!(fixed_arrangements(permutation, &counts), Ok(fixed));
                }
                assert_eq!(orbits(group, &counts), Ok(least.len() as u128));
            }
        }
    }

    #[test]
    fn lists_that_are_not_groups_are_rejected() {
        assert_eq!(fixed_arrangements(&[0, 0], &[2]), Err(IndexError::NotAPermutation { squares: 2 }));
        assert_eq!(fixed_arrangements(&[1, 2], &[2]), Err(IndexError::NotAPermutation { squares: 2 }));
        assert_eq!(fixed_arrangements(&[0], &[2]), Err(IndexError::WrongSum { sum: 2, squares: 1 }));
        assert_eq!(orbits(&[], &[]), Err(IndexError::NotAGroup));
    }
}
