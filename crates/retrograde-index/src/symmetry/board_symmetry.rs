//! Symmetries of a board: permutations of its squares, applied to whole sets at once.

use crate::error::IndexError;

/// A permutation of up to 64 squares. Each byte of a set is looked up in a table, so an image takes
/// one lookup per eight squares of the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardSymmetry {
    permutation: Vec<u8>,
    /// The images of the squares in a byte of a set, by the number of the byte and its value.
    images: Vec<[u64; 256]>,
}

impl BoardSymmetry {
    /// The symmetry that moves square s to `permutation[s]`.
    ///
    /// # Errors
    /// If there are more than 64 squares, or the list does not contain each of them once.
    pub fn new(permutation: &[u8]) -> Result<BoardSymmetry, IndexError> {
        let squares = permutation.len();
        if squares > 64 {
            return Err(IndexError::TooManySquares { squares: squares as u32 });
        }
        let mut met = vec![false; squares];
        for &square in permutation {
            match met.get_mut(usize::from(square)) {
                Some(met) if !*met => *met = true,
                _ => return Err(IndexError::NotAPermutation { squares }),
            }
        }
        let images = permutation
            .chunks(8)
            .map(|squares| {
                std::array::from_fn(|set| {
                    let goes = squares.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1);
                    goes.fold(0, |image, (_, &to)| image | 1 << to)
                })
            })
            .collect();
        Ok(BoardSymmetry { permutation: permutation.to_vec(), images })
    }

    /// The square that each square moves to.
    pub fn permutation(&self) -> &[u8] {
        &self.permutation
    }

    /// The image of a set, which must be on the board.
    #[inline]
    pub fn image(&self, set: u64) -> u64 {
        let bytes = set.to_le_bytes();
        self.images.iter().zip(bytes).fold(0, |image, (images, byte)| image | images[usize::from(byte)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_image_of_a_set_has_the_image_of_every_square() {
        for squares in 0..=64_u8 {
            // Multiplication by a number coprime to the size permutes the squares.
            let step = [37, 41, 43, 1].into_iter().find(|step| squares == 0 || squares % step != 0);
            let step = step.filter(|&step| squares > step || step == 1).unwrap_or(1);
            let permutation: Vec<u8> = (0..squares)
                .map(|s| ((u32::from(s) * u32::from(step) + 5) % u32::from(squares)) as u8)
                .collect();
            let symmetry = BoardSymmetry::new(&permutation).unwrap();
            assert_eq!(symmetry.permutation(), permutation);
            let all = if squares == 64 { u64::MAX } else { (1 << squares) - 1 };
            for seed in 0..50_u64 {
                let set = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(seed as u32) & all;
                let slowly = permutation.iter().enumerate().filter(|(from, _)| set >> from & 1 == 1);
                assert_eq!(symmetry.image(set), slowly.fold(0, |image, (_, &to)| image | 1 << to));
            }
        }
    }

    #[test]
    fn lists_that_are_not_permutations_are_rejected() {
        for bad in [&[0, 0][..], &[1], &[1, 2], &[0, 1, 3]] {
            let squares = bad.len();
            assert_eq!(BoardSymmetry::new(bad), Err(IndexError::NotAPermutation { squares }));
        }
        let long: Vec<u8> = (0..65).collect();
        assert_eq!(BoardSymmetry::new(&long), Err(IndexError::TooManySquares { squares: 65 }));
    }
}
