//! The two things that can be kept of a position: one bit or a score of one byte.
//!
//! Both are *scores*: smaller is worse for the side to move, a position is worth
//! [`ScoreFormat::before`] of the smallest of its successors, and all ones is what no successor is
//! greater than. For bits (1, won) the smallest is `and` and one turn earlier is `not`; for bytes
//! they are `min` and [`Score::before_turn`]. So one solver does for both.

use retrograde_game::{Outcome, Score, Value};

use super::simd::Simd;

/// The score that is kept of a position.
pub(super) trait ScoreFormat: Copy + Send + Sync + 'static {
    /// Cells whose positions lie in one word of 64 bits.
    const WORD_CELLS: u32;
    /// Bits of a position.
    const BITS: u32 = 64 >> Self::WORD_CELLS;

    /// The smaller of the scores, position by position.
    fn min<S: Simd>(a: S, b: S) -> S;
    /// One turn earlier.
    fn before<S: Simd>(scores: S) -> S;
    /// The score of a finished game.
    fn over(outcome: Outcome) -> u64;

    /// Ones in the given positions of a word.
    fn ones(positions: impl Fn(u32) -> bool) -> u64 {
        let one = u64::MAX >> (64 - Self::BITS);
        (0..1 << Self::WORD_CELLS)
            .filter(|&position| positions(position))
            .fold(0, |word, position| word | one << (position * Self::BITS))
    }
}

/// One bit a position: 1, the side to move wins.
#[derive(Clone, Copy)]
pub(super) struct Bit;

impl ScoreFormat for Bit {
    const WORD_CELLS: u32 = 6;

    #[inline(always)]
    fn min<S: Simd>(a: S, b: S) -> S {
        a.and(b)
    }

    #[inline(always)]
    fn before<S: Simd>(scores: S) -> S {
        scores.not()
    }

    fn over(outcome: Outcome) -> u64 {
        u64::from(outcome == Outcome::Win)
    }
}

/// A score of one byte a position. No game fills more than 63 cells, so none is too long.
#[derive(Clone, Copy)]
pub(super) struct Byte;

impl ScoreFormat for Byte {
    const WORD_CELLS: u32 = 3;

    #[inline(always)]
    fn min<S: Simd>(a: S, b: S) -> S {
        a.min_bytes(b)
    }

    #[inline(always)]
    fn before<S: Simd>(scores: S) -> S {
        scores.before_turn()
    }

    fn over(outcome: Outcome) -> u64 {
        u64::from(u8::from_value(Value::over(outcome)).unwrap_or(u8::NONE))
    }
}

/// A move of words: down by some bits, ones where it leads nowhere.
#[derive(Clone, Copy)]
pub(super) struct Shift {
    pub bits: u32,
    pub off: u64,
}

impl Shift {
    /// To the positions in which the cells of a line are filled too.
    pub(super) fn new<K: ScoreFormat>(line: u32) -> Shift {
        Shift { bits: line * K::BITS, off: K::ones(|position| position & line != 0) }
    }

    #[inline(always)]
    pub(super) fn bring<S: Simd>(self, token: S::Token, words: S) -> S {
        words.down(self.bits).or(S::splat(token, self.off))
    }
}

/// The lines within a word, and the order in which its positions are closed.
pub(super) struct Within {
    /// By how many cells are filled, more first: those positions, and the lines to take before they
    /// are closed.
    layers: Vec<(u64, Vec<Shift>)>,
}

impl Within {
    pub(super) fn new<K: ScoreFormat>(lines: &[u32]) -> Within {
        // A line of k cells brings to k layers at once what the k layers above the highest of them
        // are worth, so it is taken in every k-th layer, from the first that it fits.
        let layer = |filled: u32| {
            let due = |line: &&u32| {
                let first = K::WORD_CELLS - line.count_ones();
                filled <= first && (first - filled).is_multiple_of(line.count_ones())
            };
            let shifts = lines.iter().filter(due).map(|&line| Shift::new::<K>(line));
            (K::ones(|position| position.count_ones() == filled), shifts.collect())
        };
        Within { layers: (0..=K::WORD_CELLS).rev().map(layer).collect() }
    }

    /// The scores of sixteen words that do not depend on each other, from the smallest of their
    /// successors in other words. `full`: the bits of the full board, and its score in them, in
    /// every word that is said to hold it.
    #[inline(always)]
    pub(super) fn close<K: ScoreFormat, S: Simd>(
        &self,
        token: S::Token,
        smallest: S,
        full: Option<(S, S)>,
    ) -> S {
        let mut smallest = smallest;
        let mut scores = S::splat(token, u64::MAX);
        for (positions, shifts) in &self.layers {
            for shift in shifts {
                smallest = K::min(smallest, shift.bring(token, scores));
            }
            let positions = S::splat(token, *positions);
            scores = K::before(smallest).and(positions).or(scores.and(positions.not()));
            if let Some((of, score)) = full {
                scores = scores.and(of.not()).or(score);
            }
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::super::vector::{LANES, Vector};
    use super::*;

    #[test]
    fn bits_are_scores_of_two_values() {
        let (win, loss) = (Bit::over(Outcome::Win), Bit::over(Outcome::Loss));
        assert!(loss < win);
        for (score, before) in [(win, loss), (loss, win)] {
            assert_eq!(Bit::before(Vector([score; LANES])).0[0] & 1, before);
            for other in [win, loss] {
                let smaller = Bit::min(Vector([score; LANES]), Vector([other; LANES]));
                assert_eq!(smaller.0[3], score.min(other));
            }
        }
    }
}
