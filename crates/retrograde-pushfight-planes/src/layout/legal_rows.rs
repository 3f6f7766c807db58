//! The legal positions of a row: no square has two pieces, and the anchor fits the scope.

use retrograde_game::{Square, Squares};

use crate::layout::numbering::Layout;
use crate::layout::pusher_set_job::PusherSetJob;
use crate::layout::scope::Scope;

/// The positions of a row: pawns are not on the squares of other pieces, and the anchor can have
/// pushed, or cannot if the scope is implausible.
#[inline(always)]
pub(crate) fn legal_row<const W: usize>(
    layout: &Layout,
    job: &PusherSetJob<W>,
    anchor: Square,
    pawns: Squares,
    (pushers, own): (Squares, [u64; W]),
    base: &[u64; W],
) -> [u64; W] {
    let mut bits: [u64; W] = std::array::from_fn(|word| base[word] & own[word]);
    if anchor == layout.no_anchor() {
        let [first, second] = layout.board.halves();
        if !(pushers & !first).is_empty() || !(pawns & !second).is_empty() {
            return [0; W];
        }
        let placed = job.lanes_clear_of(layout.board.all() & !first);
        for word in 0..W {
            bits[word] &= placed[word];
        }
    } else if layout.scope != Scope::All {
        let pieces = job.pushers | pawns | pushers;
        // All ones where a square is occupied.
        let occupied = |square: Square| -> [u64; W] {
            match pieces.contains(square) {
                true => [u64::MAX; W],
                false => std::array::from_fn(|word| !job.clear_of(square)[word]),
            }
        };
        let mut one = [0; W];
        for [first, second] in layout.board.neighbour_pairs(anchor) {
            let (first, second) = (occupied(first), occupied(second));
            for word in 0..W {
                one[word] |= first[word] ^ second[word];
            }
        }
        let inverted = if layout.scope == Scope::Implausible { u64::MAX } else { 0 };
        for word in 0..W {
            bits[word] &= one[word] ^ inverted;
        }
    }
    bits
}
