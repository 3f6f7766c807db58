//! Division by a constant, as a multiplication: used to split numbers of a mixed radix.

/// A divisor; not 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Divisor {
    divisor: u64,
    /// `u64::MAX` divided by the divisor.
    inverse: u64,
}

impl Divisor {
    /// Prepares the division by a number. 0 is treated as 1.
    pub fn new(divisor: u64) -> Divisor {
        let divisor = divisor.max(1);
        Divisor { divisor, inverse: u64::MAX / divisor }
    }

    /// The quotient and the remainder.
    #[inline(always)]
    pub fn divide(self, number: u64) -> (u64, u64) {
        // The inverse is less than 2⁶⁴ / divisor by at most 1, so the product / 2⁶⁴ is too small by
        // less than 1, and the quotient by at most 1.
        let quotient = ((u128::from(number) * u128::from(self.inverse)) >> 64) as u64;
        let rest = number - quotient * self.divisor;
        if rest >= self.divisor { (quotient + 1, rest - self.divisor) } else { (quotient, rest) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_agree_with_division() {
        let mut numbers: Vec<u64> = (0..70).collect();
        for bit in 2..64 {
            numbers.extend([(1 << bit) - 1, 1 << bit, (1 << bit) + 1, (u64::MAX / 3) >> (63 - bit)]);
        }
        numbers.extend([u64::MAX - 1, u64::MAX]);
        for &divisor in numbers.iter().filter(|&&divisor| divisor > 0) {
            for &number in &numbers {
                let both = (number / divisor, number % divisor);
                assert_eq!(Divisor::new(divisor).divide(number), both, "{number} by {divisor}");
                let multiple = number - number % divisor;
                for number in [multiple, multiple.wrapping_sub(1), multiple.saturating_add(divisor - 1)] {
                    assert_eq!(Divisor::new(divisor).divide(number), (number / divisor, number % divisor));
                }
            }
        }
    }
}
