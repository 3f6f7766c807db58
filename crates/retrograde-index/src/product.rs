//! Products: tuples of numbers, each with its own radix, numbered like the digits of a number.

use crate::error::IndexError;

/// The numbering of tuples whose i-th number is below the i-th radix. The last number is the least
/// significant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Product {
    radices: Vec<u64>,
    count: u64,
}

impl Product {
    /// Creates the numbering of tuples below these radices.
    ///
    /// # Errors
    /// If there are more tuples than 64 bits can number.
    pub fn new(radices: &[u64]) -> Result<Product, IndexError> {
        let count = if radices.contains(&0) {
            Some(0)
        } else {
            radices.iter().try_fold(1_u64, |count, &radix| count.checked_mul(radix))
        };
        Ok(Product { radices: radices.to_vec(), count: count.ok_or(IndexError::TooMany)? })
    }

    /// The number of tuples.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The index of a tuple; `None` if it has the wrong length or a number is not below its radix.
    pub fn rank(&self, tuple: &[u64]) -> Option<u64> {
        if tuple.len() != self.radices.len() {
            return None;
        }
        let mut digits = tuple.iter().zip(&self.radices);
        digits.try_fold(0, |rank, (&digit, &radix)| (digit < radix).then_some(rank * radix + digit))
    }

    /// Writes the tuple with an index to `tuple`. Returns `None` and writes nothing if the index is
    /// past the end or `tuple` has the wrong length.
    pub fn unrank(&self, mut rank: u64, tuple: &mut [u64]) -> Option<()> {
        if rank >= self.count || tuple.len() != self.radices.len() {
            return None;
        }
        for (digit, &radix) in tuple.iter_mut().zip(&self.radices).rev() {
            *digit = rank % radix;
            rank /= radix;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tuple_of_small_radices_is_numbered_in_order() {
        for shape in 0..5_u64.pow(4) {
            let radices: Vec<u64> = (0..4).map(|at| shape / 5_u64.pow(at) % 5).collect();
            for radices in [&radices[..], &radices[..2], &[]] {
                let product = Product::new(radices).unwrap();
                assert_eq!(product.count(), radices.iter().product::<u64>());
                let mut before = None;
                let mut tuple = vec![9; radices.len()];
                for rank in 0..product.count() {
                    product.unrank(rank, &mut tuple).unwrap();
                    assert_eq!(product.rank(&tuple), Some(rank));
                    assert!(before < Some(tuple.clone()));
                    before = Some(tuple.clone());
                }
                assert_eq!(product.unrank(product.count(), &mut tuple), None);
            }
        }
    }

    #[test]
    fn invalid_tuples_have_no_number() {
        let product = Product::new(&[2, 3]).unwrap();
        assert_eq!(product.rank(&[1, 2]), Some(5));
        for bad in [&[2, 0][..], &[0, 3], &[0], &[0, 0, 0]] {
            assert_eq!(product.rank(bad), None);
        }
        assert_eq!(product.unrank(0, &mut [0]), None);
        assert_eq!(Product::new(&[u64::MAX, 2]), Err(IndexError::TooMany));
        assert_eq!(Product::new(&[u64::MAX, 2, 0]).unwrap().count(), 0);
    }
}
