//! Legal rows.

use crate::layout::numbering::{Scope, Shape};
use crate::layout::pusher_set_job::Unit;

/// The positions that there are in a row: pawns stand clear of other pieces, and the anchor can have pushed or, if the
/// scope says so, cannot.
#[inline(always)]
pub(crate) fn there<const W: usize>(
    shape: &Shape,
    unit: &Unit<W>,
    anchor: usize,
    pawns: u64,
    (pushers, own): (u64, [u64; W]),
    base: &[u64; W],
) -> [u64; W] {
    let mut bits: [u64; W] = std::array::from_fn(|word| base[word] & own[word]);
    if anchor == shape.squares {
        let [first, second] = shape.halves;
        if pushers & !first != 0 || pawns & !second != 0 {
            return [0; W];
        }
        let placed = unit.lanes(0, shape.all & !first);
        for word in 0..W {
            bits[word] &= placed[word];
        }
    } else if !matches!(shape.scope, Scope::All | Scope::Whole) {
        let pieces = unit.pushers | pawns | pushers;
        // All ones where a square is occupied.
        let occupied = |square: usize| -> [u64; W] {
            match pieces >> square & 1 {
                1 => [u64::MAX; W],
                _ => std::array::from_fn(|word| !unit.clear[square & 63][word]),
            }
        };
        let mut one = [0; W];
        for &[first, second] in &shape.pairs[anchor] {
            let (first, second) = (occupied(first), occupied(second));
            for word in 0..W {
                one[word] |= first[word] ^ second[word];
            }
        }
        let others = if shape.scope == Scope::Others { u64::MAX } else { 0 };
        for word in 0..W {
            bits[word] &= one[word] ^ others;
        }
    }
    bits
}
