//! Sets of squares as bits of a word, and sets of lanes as bits of a row.

use retrograde_game::{Square, Squares};
use retrograde_index::Combinations;

use crate::layout::lanes::LocalLane;

/// All sets of `count` squares, in order; `None` if there are too many for numbers of 16 bits.
pub(super) fn subsets(sets: &Combinations, squares: usize, count: usize) -> Option<Vec<u64>> {
    let most = u64::try_from(retrograde_index::binomial(squares as u32, count as u32)?).ok()?;
    if most >= u64::from(u16::MAX) {
        return None;
    }
    (0..most).map(|rank| sets.unrank(count as u32, rank)).collect()
}

/// The bits of a word, lowest first.
#[inline(always)]
pub(crate) fn bits_of(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        if word == 0 {
            return None;
        }
        word &= word - 1;
        Some(bit)
    })
}

/// Whether a row is not zero. (Comparing arrays would go through memory.)
#[inline(always)]
pub(crate) fn any_bit<const W: usize>(row: &[u64; W]) -> bool {
    let mut any_bit = 0;
    for word in 0..W {
        any_bit |= row[word];
    }
    any_bit != 0
}

/// A set of squares, packed by another set: bit `n` is the n-th square of the other set.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(transparent)]
pub(crate) struct PackedSquares(pub u64);

/// Packs the squares of a set by another set.
#[inline(always)]
pub(crate) fn compress(set: Squares, among: Squares) -> PackedSquares {
    PackedSquares(set.into_iter().fold(0, |packed, square| packed | 1 << index_in(among, square)))
}

/// The index of a square in a set.
#[inline(always)]
pub(crate) fn index_in(set: Squares, square: Square) -> usize {
    (set.0 & (square.set().0 - 1)).count_ones() as usize
}

/// The inverse of [`compress`].
#[inline(always)]
pub(crate) fn expand(packed: PackedSquares, among: Squares) -> Squares {
    let mut set = 0;
    let mut rest = among.0;
    let mut at = 0;
    for square in bits_of(packed.0) {
        while at < square {
            rest &= rest - 1;
            at += 1;
        }
        set |= rest & rest.wrapping_neg();
    }
    Squares(set)
}

/// The lanes of a set.
#[inline(always)]
pub(crate) fn lanes_of(lanes: &[u64]) -> impl Iterator<Item = LocalLane> {
    let lane = |word: usize, bit: usize| LocalLane::new(word * 64 + bit);
    lanes.iter().enumerate().flat_map(move |(word, &bits)| bits_of(bits).map(move |bit| lane(word, bit)))
}

#[inline(always)]
pub(crate) fn has_lane(lanes: &[u64], lane: LocalLane) -> bool {
    lanes[lane.index() / 64] >> (lane.index() % 64) & 1 == 1
}

#[inline(always)]
pub(crate) fn insert_lane(lanes: &mut [u64], lane: LocalLane) {
    lanes[lane.index() / 64] |= 1 << (lane.index() % 64);
}

#[inline(always)]
pub(crate) fn insert_lane_if(lanes: &mut [u64], lane: LocalLane, condition: bool) {
    lanes[lane.index() / 64] |= u64::from(condition) << (lane.index() % 64);
}

#[inline(always)]
pub(crate) fn remove_lane(lanes: &mut [u64], lane: LocalLane) {
    lanes[lane.index() / 64] &= !(1 << (lane.index() % 64));
}
