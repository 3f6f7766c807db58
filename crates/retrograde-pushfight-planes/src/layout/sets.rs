//! Sets of squares as bits of a word, and sets of lanes as bits of a row.

use retrograde_index::Combinations;

/// All sets of so many squares, in order; `None` if there are too many for numbers of 16 bits.
pub(super) fn subsets(sets: &Combinations, squares: usize, count: usize) -> Option<Vec<u64>> {
    let most = u64::try_from(retrograde_index::binomial(squares as u32, count as u32)?).ok()?;
    if most >= u64::from(u16::MAX) {
        return None;
    }
    (0..most).map(|rank| sets.unrank(count as u32, rank)).collect()
}

/// The squares of a set, lowest first.
#[inline(always)]
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize;
        if set == 0 {
            return None;
        }
        set &= set - 1;
        Some(square)
    })
}

/// Whether a row has anything. (Comparing arrays would go through memory.)
#[inline(always)]
pub(crate) fn any_bit<const W: usize>(row: &[u64; W]) -> bool {
    let mut any_bit = 0;
    for word in 0..W {
        any_bit |= row[word];
    }
    any_bit != 0
}

/// The squares of a set, numbered among those of another.
#[inline(always)]
pub(crate) fn compress(set: u64, among: u64) -> u64 {
    squares(set).fold(0, |packed, square| packed | 1 << (among & ((1 << square) - 1)).count_ones())
}

/// The inverse of [`compress`].
#[inline(always)]
pub(crate) fn expand(packed: u64, among: u64) -> u64 {
    let mut set = 0;
    let mut rest = among;
    let mut at = 0;
    for square in squares(packed) {
        while at < square {
            rest &= rest - 1;
            at += 1;
        }
        set |= rest & rest.wrapping_neg();
    }
    set
}

/// The lanes of a set.
#[inline(always)]
pub(crate) fn set_bits<const W: usize>(lanes: &[u64; W]) -> impl Iterator<Item = usize> {
    lanes.iter().enumerate().flat_map(|(word, &bits)| squares(bits).map(move |bit| word * 64 + bit))
}
