//! The two kinds of scores: one bit or one byte per position.
//!
//! Smaller scores are worse for the side to move, the score of a position is [`ScoreFormat::before`] of its
//! smallest successor, and all ones is at least as great as any successor. For bits (1: won) the minimum is
//! `and` and a turn is `not`; for bytes they are `min` and [`Score::before_turn`]. One solver therefore
//! handles both.

use retrograde_game::{Outcome, Score, Value};

use super::simd::Simd;

/// A kind of score.
pub(super) trait ScoreFormat: Copy + Send + Sync + 'static {
    /// The number of cells whose positions fit into one 64-bit word.
    const WORD_CELLS: u32;
    /// The number of bits per position.
    const BITS: u32 = 64 >> Self::WORD_CELLS;

    /// The smaller of the scores, position by position.
    fn min<S: Simd>(a: S, b: S) -> S;
    /// One turn earlier.
    fn before<S: Simd>(scores: S) -> S;
    /// The score of a finished game.
    fn over(outcome: Outcome) -> u64;

    /// Sets the bits of the given positions in a word.
    fn ones(positions: impl Fn(u32) -> bool) -> u64 {
        let one = u64::MAX >> (64 - Self::BITS);
        (0..1 << Self::WORD_CELLS)
            .filter(|&position| positions(position))
            .fold(0, |word, position| word | one << (position * Self::BITS))
    }
}

/// One bit per position; 1: the side to move wins.
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

/// A one-byte score per position. No game fills more than 63 cells, so all fit.
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

/// A shift of words by some bits, with ones where it leads nowhere.
#[derive(Clone, Copy)]
pub(super) struct Shift {
    pub bits: u32,
    pub off: u64,
}

impl Shift {
    /// The shift to the positions in which the cells of a line are also filled.
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
    /// By the number of filled cells, the fullest first: the positions, and the lines to apply before they
    /// are closed.
    layers: Vec<(u64, Vec<Shift>)>,
}

impl Within {
    pub(super) fn new<K: ScoreFormat>(lines: &[u32]) -> Within {
        // A line of k cells passes the scores of the k layers above its highest layer to k layers at once, so
        // it is applied in every k-th layer, beginning with the first that it fits.
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

    /// The scores of sixteen independent words, from the smallest of their successors in other words. `full`:
    /// the bits of the full board, and its score in them, in every word that contains it.
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
