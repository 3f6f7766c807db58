//! The legal positions of a row: no piece stands on another, and the anchor fits the scope.

use crate::layout::numbering::Layout;
use crate::layout::pusher_set_job::PusherSetJob;
use crate::layout::scope::Scope;

/// The positions that there are in a row: pawns stand clear of other pieces, and the anchor can have pushed or, if the
/// scope says so, cannot.
#[inline(always)]
pub(crate) fn legal_row<const W: usize>(
    layout: &Layout,
    job: &PusherSetJob<W>,
    anchor: usize,
    pawns: u64,
    (pushers, own): (u64, [u64; W]),
    base: &[u64; W],
) -> [u64; W] {
    let mut bits: [u64; W] = std::array::from_fn(|word| base[word] & own[word]);
    if anchor == layout.board.squares {
        let [first, second] = layout.board.halves;
        if pushers & !first != 0 || pawns & !second != 0 {
            return [0; W];
        }
        let placed = job.lanes(0, layout.board.all & !first);
        for word in 0..W {
            bits[word] &= placed[word];
        }
    } else if !matches!(layout.scope, Scope::All | Scope::AllAndStarts) {
        let pieces = job.pushers | pawns | pushers;
        // All ones where a square is occupied.
        let occupied = |square: usize| -> [u64; W] {
            match pieces >> square & 1 {
                1 => [u64::MAX; W],
                _ => std::array::from_fn(|word| !job.clear[square & 63][word]),
            }
        };
        let mut one = [0; W];
        for &[first, second] in &layout.board.opposite_neighbours[anchor] {
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
