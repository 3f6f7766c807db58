//! Reachable positions in a list, sorted by index.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::layer::Layer;
use super::tasks::run_tasks;
use crate::job::SolveError;
use crate::widths::{narrowed, widened};

/// The number of positions that are numbered together.
const PIECE: usize = 1 << 18;
/// Numbers of up to this many bits share eight bytes with a score.
const NUMBER_BITS: u32 = 56;

/// Gives keys with scores their numbers instead.
type NumberKeys<'a> = dyn Fn(&[(u64, u16)]) -> Result<Vec<(u64, u16)>, SolveError> + Sync + 'a;

/// Positions sorted by number, with their two-byte scores.
pub enum NumberedScores {
    /// Number and score in eight bytes; the lowest byte is a one-byte score.
    Packed(Vec<u64>),
    /// Numbers or scores that do not fit into eight bytes.
    Pairs(Vec<(u64, u16)>),
}

impl NumberedScores {
    /// Numbers all positions of these layers, whose memory is freed layer by layer. The rest of it and the
    /// numbers take at most `memory` bytes.
    pub(super) fn of(
        layers: Vec<Layer>,
        numbered: &NumberKeys<'_>,
        pool: &crate::Pool,
        memory: u64,
    ) -> Result<NumberedScores, SolveError> {
        let mut all = NumberedScores::Packed(Vec::new());
        let mut left: u64 = layers.iter().map(Layer::bytes).sum();
        for layer in layers {
            for first in (0..layer.keys.len()).step_by(PIECE) {
                let places = first..layer.keys.len().min(first + PIECE);
                let packed = matches!(all, NumberedScores::Packed(_));
                let number = |at, keys: &[u64]| {
                    let scores = (first + at..).map(|place| layer.scores.wide(place));
                    let scored: Vec<(u64, u16)> = keys.iter().copied().zip(scores).collect();
                    Ok(NumberedScores::of_pairs(numbered(&scored)?, packed))
                };
                for piece in run_tasks(pool, &layer.keys[places], &number)? {
                    all.add(piece);
                }
                let need = left + all.bytes();
                if need > memory {
                    return Err(SolveError::Memory { need, limit: memory });
                }
            }
            left -= layer.bytes();
        }
        pool.install(|| all.sort());
        Ok(all)
    }

    /// Stores pairs packed if that is wanted and all of them fit.
    pub(super) fn of_pairs(pairs: Vec<(u64, u16)>, packed: bool) -> NumberedScores {
        let pack = |&(number, score): &(u64, u16)| {
            let score = narrowed(score).filter(|_| number >> NUMBER_BITS == 0)?;
            Some(number << 8 | u64::from(score))
        };
        let packed = packed.then(|| pairs.iter().map(pack).collect()).flatten();
        packed.map_or(NumberedScores::Pairs(pairs), NumberedScores::Packed)
    }

    /// Appends other positions. Once some are not packed, the whole list is not.
    pub(super) fn add(&mut self, others: NumberedScores) {
        if let (NumberedScores::Packed(all), NumberedScores::Packed(others)) = (&mut *self, &others) {
            all.extend(others);
            return;
        }
        if let NumberedScores::Packed(_) = self {
            *self = NumberedScores::Pairs(self.iter().collect());
        }
        if let NumberedScores::Pairs(all) = self {
            all.extend(others.iter());
        }
    }

    fn sort(&mut self) {
        match self {
            NumberedScores::Packed(all) => all.par_sort_unstable(),
            NumberedScores::Pairs(all) => all.par_sort_unstable(),
        }
    }

    /// The number of positions by two-byte score.
    pub(crate) fn counts(&self) -> BTreeMap<u16, u64> {
        count_scores(self.iter().map(|(_, score)| score))
    }

    /// The number of positions.
    pub(crate) fn len(&self) -> usize {
        match self {
            NumberedScores::Packed(all) => all.len(),
            NumberedScores::Pairs(all) => all.len(),
        }
    }

    /// Bytes of memory.
    fn bytes(&self) -> u64 {
        let each = match self {
            NumberedScores::Packed(_) => size_of::<u64>(),
            NumberedScores::Pairs(_) => size_of::<(u64, u16)>(),
        };
        (self.len() * each) as u64
    }

    /// The number and the score at a place.
    pub(crate) fn at(&self, place: usize) -> (u64, u16) {
        match self {
            NumberedScores::Packed(all) => (all[place] >> 8, widened(all[place] as u8)),
            NumberedScores::Pairs(all) => all[place],
        }
    }

    /// Numbers and scores, in the order of the numbers.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (u64, u16)> + '_ {
        (0..self.len()).map(|place| self.at(place))
    }

    /// The place of the first number that is at least `number`.
    pub(crate) fn place_of(&self, number: u64) -> usize {
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = from.midpoint(to);
            if self.at(middle).0 < number { from = middle + 1 } else { to = middle }
        }
        from
    }

    /// The score of a number, if it is present.
    pub(crate) fn score(&self, number: u64) -> Option<u16> {
        let place = self.place_of(number);
        (place < self.len())
            .then(|| self.at(place))
            .filter(|&(found, _)| found == number)
            .map(|(_, score)| score)
    }
}

/// The number of positions by score.
pub(super) fn count_scores(scores: impl Iterator<Item = u16>) -> BTreeMap<u16, u64> {
    let (mut by_narrow, mut counts) = ([0_u64; 256], BTreeMap::new());
    for score in scores {
        match narrowed(score) {
            Some(score) => by_narrow[usize::from(score)] += 1,
            None => *counts.entry(score).or_default() += 1,
        }
    }
    counts.extend((0..=u8::MAX).map(widened).zip(by_narrow).filter(|&(_, count)| count > 0));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_packed_if_they_fit() {
        let pairs = |shift: u32, score| vec![(3 << shift, 7), (1 << shift, score)];
        for (shift, score, packed) in [(54, 125, true), (54, 300, false), (60, 125, false)] {
            let mut all = NumberedScores::Packed(vec![2 << 8 | 9]);
            all.add(NumberedScores::of_pairs(pairs(shift, score), true));
            all.sort();
            assert_eq!(matches!(all, NumberedScores::Packed(_)), packed, "{shift}, {score}");
            assert_eq!(all.iter().collect::<Vec<_>>(), [(2, 9), (1 << shift, score), (3 << shift, 7)]);
            assert_eq!((all.score(3 << shift), all.score(3)), (Some(7), None));
        }
    }
}
