//! A stage: ranges of indices that are solved together, and the place of each index among them.
//!
//! Arrays with data about a stage are indexed by *place*. Ranges begin at multiples of 64 places, so that
//! pieces of different ranges share no word of a bit set.

use std::ops::Range;

use super::driver::Driver;
use crate::array::ScoreArray;
use crate::job::{Job, SolveError};

/// The maximum number of places per piece.
const MAX_PIECE: u64 = 1 << 16;

/// The ranges of a stage, in order.
pub(crate) struct Stage {
    /// Each range, with the place of its first index.
    ranges: Vec<(Range<u64>, u64)>,
    /// The number of places, including unused ones.
    pub places: usize,
}

/// Consecutive indices of a stage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub indices: Range<u64>,
    /// The place of the first index.
    pub place: u64,
}

impl Piece {
    /// The index at a place of the piece.
    pub(crate) fn index(&self, place: u64) -> u64 {
        self.indices.start + (place - self.place)
    }

    /// The number of indices.
    pub(crate) fn len(&self) -> u64 {
        self.indices.end - self.indices.start
    }
}

impl Stage {
    /// Takes non-empty ranges.
    pub(crate) fn new(mut ranges: Vec<Range<u64>>) -> Stage {
        ranges.sort_by_key(|range| range.start);
        let mut places = 0_u64;
        let placed = |range: Range<u64>| {
            let first = places;
            places += (range.end - range.start).next_multiple_of(64);
            (range, first)
        };
        let ranges = ranges.into_iter().map(placed).collect();
        Stage { ranges, places: places as usize }
    }

    /// The number of indices.
    pub(crate) fn len(&self) -> u64 {
        self.ranges.iter().map(|(range, _)| range.end - range.start).sum()
    }

    /// The ranges, in order.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<u64>> {
        self.ranges.iter().map(|(range, _)| range.clone())
    }

    /// The place of an index, if it is in this stage.
    #[inline]
    pub(crate) fn place(&self, index: u64) -> Option<u64> {
        let of = |(range, place): &(Range<u64>, u64)| {
            range.contains(&index).then(|| place + (index - range.start))
        };
        match self.ranges.as_slice() {
            [only] => of(only),
            ranges => {
                let after = ranges.partition_point(|(range, _)| range.start <= index);
                ranges.get(after.checked_sub(1)?).and_then(of)
            }
        }
    }

    /// All indices, in pieces of at most `most`.
    pub(crate) fn pieces(&self, most: u64) -> Vec<Piece> {
        let most = most.clamp(1, MAX_PIECE);
        let mut pieces = Vec::new();
        for (range, place) in &self.ranges {
            for start in (range.start..range.end).step_by(most as usize) {
                let indices = start..range.end.min(start + most);
                pieces.push(Piece { place: place + (start - range.start), indices });
            }
        }
        pieces
    }
}

/// A stage, and what is known from earlier ones.
pub(crate) struct StageAt<'a> {
    pub number: usize,
    /// The number of stages.
    pub of: usize,
    pub stage: &'a Stage,
    /// The phase to start with; 0 if nothing is decided.
    pub turns: u16,
    /// The maximum number of turns in earlier stages.
    pub earlier: u16,
    /// Whether wins in one turn are decided before the first phase.
    pub wins_at_once: bool,
    /// Whether the scores of other stages are in files, except for the stages that turns lead to.
    pub in_files: bool,
    /// Whether turns may stay in the stage.
    pub turns_within: bool,
}

/// The maximum number of turns in a stage; `None` if a game is too long for the width of the scores.
pub(crate) type StageResult = Result<Option<u16>, SolveError>;

/// Solves a stage after the earlier ones. Where stages come from and where their scores are kept does not depend
/// on the game, so that is compiled once for all.
pub(crate) type SolveStage<'a> =
    dyn FnMut(&mut Job<'_>, &Driver<'_>, &mut ScoreArray, &StageAt<'_>) -> StageResult + 'a;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_by_index_and_back() {
        for ranges in [&[3..30, 30..70][..], &[200..201, 0..65, 100..190]] {
            let stage = Stage::new(ranges.to_vec());
            let mut seen = 0;
            for piece in stage.pieces(17) {
                for index in piece.indices.clone() {
                    let place = stage.place(index).unwrap();
                    assert!(piece.index(place) == index && place < stage.places as u64);
                    seen += 1;
                }
            }
            assert_eq!(seen, stage.len());
            for index in 0..300 {
                let inside = ranges.iter().any(|range| range.contains(&index));
                assert_eq!(stage.place(index).is_some(), inside, "{index}");
            }
        }
    }
}
