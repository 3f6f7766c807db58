//! Finds the scores of positions from the scores of lower grades, which are all known.

use retrograde_game::{Graded, Score};

use super::coding::Coding;
use super::layer::Layer;
use super::successors::{Successor, each_next, position_of};
use crate::job::{Scores, SolveError};
use crate::position::score_before;

/// The number of positions whose successors are looked up together.
const TOGETHER: usize = 1 << 7;

/// The layers of lower grades, indexed by grade.
pub struct LowerLayers<'a> {
    layers: &'a [Layer],
    above: u64,
    /// The number of the layer by its distance from the current grade, if that is small.
    near: Vec<u32>,
}

impl<'a> LowerLayers<'a> {
    pub(crate) fn new(layers: &'a [Layer], above: u64) -> LowerLayers<'a> {
        let mut near = vec![u32::MAX; 64];
        for (number, layer) in (0..).zip(layers) {
            if let Some(entry) = near.get_mut((above - layer.grade) as usize) {
                *entry = number;
            }
        }
        LowerLayers { layers, above, near }
    }

    #[inline]
    fn number(&self, grade: u64) -> Option<u32> {
        match self.near.get((self.above - grade) as usize) {
            Some(&number) => Some(number).filter(|&number| number != u32::MAX),
            None => self.layers.binary_search_by_key(&grade, |layer| layer.grade).ok().map(|at| at as u32),
        }
    }
}

/// A successor whose score is needed.
struct Lookup {
    key: u64,
    layer: u32,
    /// The number of its predecessor, below [`TOGETHER`].
    asker: u16,
    /// Whether the same player moves again.
    again: bool,
}

/// Finds scores of positions from those of lower grades.
pub(super) struct Settler<'a, G, C> {
    pub game: &'a G,
    pub coding: C,
    pub lower: &'a LowerLayers<'a>,
}

impl<G: Graded, C: Coding<G>> Settler<'_, G, C> {
    /// The scores of positions of a grade.
    pub fn settle(&self, keys: &[u64], grade: u64) -> Result<Scores, SolveError> {
        let mut scores = Vec::with_capacity(keys.len());
        let mut positions = Vec::with_capacity(TOGETHER);
        let (mut lookups, mut least) = (Vec::new(), Vec::new());
        for keys in keys.chunks(TOGETHER) {
            positions.clear();
            lookups.clear();
            least.clear();
            for (asker, &key) in (0..).zip(keys) {
                let position = position_of(self.game, self.coding, key)?;
                least.push(self.ask(&position, (grade, asker), &mut lookups)?);
                positions.push(position);
            }
            self.answer(&lookups, &mut least)?;
            for (position, &least) in positions.iter().zip(&least) {
                scores.push(score_before(self.game, position, least, false).ok_or(SolveError::TooDeep)?);
            }
        }
        Ok(Scores::packed(scores))
    }

    /// Lists the successors of a position that must be looked up. Returns the least score of the finished
    /// ones.
    #[inline]
    fn ask(
        &self,
        position: &G::Position,
        (grade, asker): (u64, u16),
        lookups: &mut Vec<Lookup>,
    ) -> Result<Option<u16>, SolveError> {
        let (mut least, mut missing) = (None, false);
        let graded = (|next: &G::Position| self.game.grade(next), grade);
        each_next(self.game, self.coding, position, graded, |next| match next {
            Successor::Over(outcome) => least = smaller(least, u16::over(outcome)),
            Successor::At { grade, key, again } => match self.lower.number(grade) {
                Some(layer) => lookups.push(Lookup { key, layer, asker, again }),
                None => missing = true,
            },
        })?;
        if missing { Err(missing_successor()) } else { Ok(least) }
    }

    #[inline]
    fn answer(&self, lookups: &[Lookup], least: &mut [Option<u16>]) -> Result<(), SolveError> {
        let layer = |lookup: &Lookup| &self.lower.layers[lookup.layer as usize];
        lookups.iter().for_each(|lookup| layer(lookup).prefetch_entry(lookup.key));
        lookups.iter().for_each(|lookup| layer(lookup).prefetch_keys(lookup.key));
        for lookup in lookups {
            let score = layer(lookup).score(lookup.key).ok_or_else(missing_successor)?;
            let score = if lookup.again { score.flipped() } else { score };
            let least = &mut least[usize::from(lookup.asker)];
            *least = smaller(*least, score);
        }
        Ok(())
    }
}

pub(super) fn smaller(least: Option<u16>, score: u16) -> Option<u16> {
    Some(least.map_or(score, |least| least.min(score)))
}

/// The error for positions before the game that cannot be solved in any order.
pub(crate) fn circle() -> SolveError {
    SolveError::BrokenPromise("positions before the game lead to each other in a circle".to_owned())
}

/// The error for a successor that was not gathered.
pub(crate) fn missing_successor() -> SolveError {
    SolveError::BrokenPromise("a position does not always have the same turns".to_owned())
}
