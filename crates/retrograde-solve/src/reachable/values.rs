//! The values of the reachable positions, as returned by a solver.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use rayon::prelude::*;
use retrograde_game::{Game, Score, Value};

use super::batches::{Numbers, images_by_number};
use super::coding::{Coding, code_of, key_of};
use super::layer::Layer;
use super::tasks::in_tasks;
use crate::job::SolveError;

/// The values of the unfinished reachable positions.
pub struct ReachableValues<G: Game, C> {
    coding: C,
    /// In ascending order of grades.
    layers: Vec<Layer>,
    /// The number of positions by score.
    counts: BTreeMap<u16, u64>,
    /// Returns the layer of a position.
    grade: GradeOf<G>,
}

/// The grade of a position.
pub(super) type GradeOf<G> = fn(&G, &<G as Game>::Position) -> u64;

impl<G: Game, C: Coding<G>> ReachableValues<G, C> {
    pub(super) fn new(
        coding: C,
        layers: Vec<Layer>,
        counts: BTreeMap<u16, u64>,
        grade: GradeOf<G>,
    ) -> ReachableValues<G, C> {
        ReachableValues { coding, layers, counts, grade }
    }

    /// The number of unfinished reachable positions, counting every symmetric image.
    pub fn len(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Whether the game is over at the start.
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// The number of stored positions: one per orbit.
    pub fn held(&self) -> u64 {
        self.layers.iter().map(|layer| layer.keys.len() as u64).sum()
    }

    /// The number of unfinished positions by two-byte score.
    pub fn counts(&self) -> &BTreeMap<u16, u64> {
        &self.counts
    }

    /// Visits all unfinished reachable positions and their values.
    pub fn each(&self, game: &G, mut visit: impl FnMut(&G::Position, Value)) {
        for layer in &self.layers {
            for (at, &key) in layer.keys.iter().enumerate() {
                let position = self.coding.position(game, code_of(key));
                let (Some(position), Some(value)) = (position, layer.scores.wide(at).value()) else {
                    continue;
                };
                let _ = self.coding.each_image(game, &position, |image| {
                    visit(image, value);
                    ControlFlow::Continue(())
                });
            }
        }
    }

    /// The memory that the result of [`ReachableValues::into_numbered`] takes, while the memory of this is
    /// freed.
    pub fn numbered_bytes(&self) -> u64 {
        let narrow = self.counts.keys().all(|&score| crate::widths::narrowed(score).is_some());
        self.len() * if narrow { size_of::<u64>() } else { size_of::<(u64, u16)>() } as u64
    }

    /// Numbers and sorts all unfinished positions, with their scores; `None` if one has no number. Frees
    /// memory as it goes.
    pub fn into_numbered(
        self,
        game: &G,
        number: impl Fn(&G, &G::Position) -> Option<u64> + Sync,
        pool: &crate::Pool,
    ) -> Option<NumberedScores> {
        let narrow = self.counts.keys().all(|&score| crate::widths::narrowed(score).is_some());
        let len = usize::try_from(self.len()).ok()?;
        let coding = self.coding;
        let numbers = |scored: &[(u64, u16)]| images_by_number(game, coding, &number, scored);
        NumberedScores::of(self.layers, NumberedScores::new(narrow, len), &numbers, pool, u64::MAX).ok()
    }

    /// The value of a position for the side to move; `None` if it is not reachable.
    pub fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        if let Some(outcome) = game.result(position) {
            return Some(Value::over(outcome));
        }
        let grade = (self.grade)(game, position);
        let layer = self.layers.binary_search_by_key(&grade, |layer| layer.grade).ok()?;
        self.layers[layer].score(key_of(self.coding.code(game, position)?))?.value()
    }
}

/// The number of positions that are numbered together.
const PIECE: usize = 1 << 18;
/// Numbers of up to this many bits share eight bytes with a score.
const NUMBER_BITS: u32 = 56;

/// Positions sorted by number, with their two-byte scores.
pub enum NumberedScores {
    /// Number and score in eight bytes; the lowest byte is a one-byte score.
    Packed(Vec<u64>),
    /// Numbers or scores that do not fit into eight bytes.
    Pairs(Vec<(u64, u16)>),
}

impl NumberedScores {
    /// Creates an empty list with capacity for `len` positions.
    pub(super) fn new(narrow: bool, len: usize) -> NumberedScores {
        if narrow {
            NumberedScores::Packed(Vec::with_capacity(len))
        } else {
            NumberedScores::Pairs(Vec::with_capacity(len))
        }
    }

    /// Numbers all positions of these layers, whose memory is freed layer by layer. The rest of it and the
    /// numbers take at most `memory` bytes.
    pub(super) fn of(
        layers: Vec<Layer>,
        mut all: NumberedScores,
        numbers: Numbers<'_>,
        pool: &crate::Pool,
        memory: u64,
    ) -> Result<NumberedScores, SolveError> {
        let mut left: u64 = layers.iter().map(Layer::bytes).sum();
        for layer in layers {
            for first in (0..layer.keys.len()).step_by(PIECE) {
                let places = first..layer.keys.len().min(first + PIECE);
                let packed = matches!(all, NumberedScores::Packed(_));
                let numbered = |at, keys: &[u64]| {
                    let scores = (first + at..).map(|place| layer.scores.wide(place));
                    let scored: Vec<(u64, u16)> = keys.iter().copied().zip(scores).collect();
                    Ok(NumberedScores::of_pairs(numbers(&scored)?, packed))
                };
                for piece in in_tasks(pool, &layer.keys[places], &numbered)? {
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
    fn of_pairs(pairs: Vec<(u64, u16)>, packed: bool) -> NumberedScores {
        let pack = |&(number, score): &(u64, u16)| {
            let score = crate::widths::narrowed(score).filter(|_| number >> NUMBER_BITS == 0)?;
            Some(number << 8 | u64::from(score))
        };
        let packed = packed.then(|| pairs.iter().map(pack).collect()).flatten();
        packed.map_or(NumberedScores::Pairs(pairs), NumberedScores::Packed)
    }

    /// Appends other positions. Once some are not packed, the whole list is not.
    fn add(&mut self, others: NumberedScores) {
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

    /// The number of positions.
    pub fn len(&self) -> usize {
        match self {
            NumberedScores::Packed(all) => all.len(),
            NumberedScores::Pairs(all) => all.len(),
        }
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
    ///
    /// # Panics
    /// If there is no such place.
    pub fn at(&self, place: usize) -> (u64, u16) {
        match self {
            NumberedScores::Packed(all) => (all[place] >> 8, crate::widths::widened(all[place] as u8)),
            NumberedScores::Pairs(all) => all[place],
        }
    }

    /// Numbers and scores, in the order of the numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u64, u16)> + '_ {
        (0..self.len()).map(|place| self.at(place))
    }

    /// The place of the first number that is at least `number`.
    pub fn place_of(&self, number: u64) -> usize {
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = from.midpoint(to);
            if self.at(middle).0 < number { from = middle + 1 } else { to = middle }
        }
        from
    }

    /// The score of a number, if it is present.
    pub fn score(&self, number: u64) -> Option<u16> {
        let place = self.place_of(number);
        (place < self.len())
            .then(|| self.at(place))
            .filter(|&(found, _)| found == number)
            .map(|(_, score)| score)
    }
}
