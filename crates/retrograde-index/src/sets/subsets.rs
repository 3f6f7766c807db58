//! Steps between subsets of equal size of a universe, in colexicographic order, which is the order
//! of the masks as integers. Most neighbours differ in one piece, so a step takes a few
//! instructions, fewer than unranking.

/// The first set: the `count` lowest squares of a universe, which must have at least that many.
#[inline]
pub(crate) fn first(count: u32, universe: u64) -> u64 {
    let mut rest = universe;
    for _ in 0..count {
        rest &= rest.wrapping_sub(1);
    }
    universe ^ rest
}

/// The last set: the `count` highest squares of a universe, which must have at least that many.
#[inline]
pub(crate) fn last(count: u32, universe: u64) -> u64 {
    first(universe.count_ones() - count, universe) ^ universe
}

/// The next set; `None` after the last.
#[inline(always)]
pub(crate) fn next(set: u64, universe: u64) -> Option<u64> {
    let lowest = set & set.wrapping_neg();
    // Squares outside the universe pass the carry on.
    let moved = (set | !universe).wrapping_add(lowest) & universe;
    if moved == 0 || set == 0 {
        return None;
    }
    // A run of pieces was cleared and one piece set above it; the others move to the bottom.
    let cleared = set & !moved;
    Some(moved | lowest_of(cleared & cleared.wrapping_sub(1), universe))
}

/// The lowest squares of the universe, as many as there are `pieces`.
#[inline(always)]
fn lowest_of(mut pieces: u64, universe: u64) -> u64 {
    let mut rest = universe;
    while pieces != 0 {
        rest &= rest.wrapping_sub(1);
        pieces &= pieces.wrapping_sub(1);
    }
    rest ^ universe
}

/// The previous set; `None` before the first.
#[inline(always)]
pub(crate) fn previous(set: u64, universe: u64) -> Option<u64> {
    let lowest = set & set.wrapping_neg();
    let below = universe & lowest.wrapping_sub(1);
    if set == 0 {
        return None;
    }
    if below != 0 {
        return Some(set ^ lowest | highest(below));
    }
    // The set has a run of pieces at the bottom: the piece above the run moves down by one square,
    // and the run follows it.
    let vacant = universe & !set;
    let gap = vacant & vacant.wrapping_neg();
    let bottom = set & gap.wrapping_sub(1);
    let above = set ^ bottom;
    if gap == 0 || above == 0 {
        return None;
    }
    let piece = above & above.wrapping_neg();
    let (mut rest, mut pieces, mut moved) = (universe & (piece - 1), bottom, above ^ piece);
    loop {
        let square = highest(rest);
        moved |= square;
        if pieces == 0 {
            return Some(moved);
        }
        rest ^= square;
        pieces &= pieces - 1;
    }
}

/// The highest square of a non-empty set.
#[inline(always)]
fn highest(set: u64) -> u64 {
    1 << (63 - set.leading_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_have_the_order_of_their_masks() {
        for universe in
            [0, 1, 0b1011, 0b111_1111, 0b1_0110_1101, 0x3ff, 1 << 63, 7 << 61, 0x8000_4000_0021_0003]
        {
            let squares: Vec<u32> = (0..64).filter(|square| universe >> square & 1 == 1).collect();
            for count in 0..=squares.len() as u32 {
                let mut all: Vec<u64> = (0..1_u64 << squares.len())
                    .filter(|bits| bits.count_ones() == count)
                    .map(|bits| {
                        let chosen = squares.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
                        chosen.fold(0, |set, (_, square)| set | 1 << square)
                    })
                    .collect();
                all.sort_unstable();
                assert_eq!(Some(&first(count, universe)), all.first());
                assert_eq!(Some(&last(count, universe)), all.last());
                for (at, &set) in all.iter().enumerate() {
                    assert_eq!(next(set, universe), all.get(at + 1).copied(), "{set:x} of {universe:x}");
                    let before = at.checked_sub(1).map(|at| all[at]);
                    assert_eq!(previous(set, universe), before, "{set:x} of {universe:x}");
                }
            }
        }
    }

    #[test]
    fn steps_on_64_squares_can_be_reversed() {
        for count in [1, 2, 31, 32, 63] {
            let (mut up, mut down) = (first(count, u64::MAX), last(count, u64::MAX));
            for _ in 0..10_000 {
                let (Some(higher), Some(lower)) = (next(up, u64::MAX), previous(down, u64::MAX)) else {
                    break;
                };
                assert!(higher > up && lower < down);
                assert_eq!((higher.count_ones(), lower.count_ones()), (count, count));
                assert_eq!((previous(higher, u64::MAX), next(lower, u64::MAX)), (Some(up), Some(down)));
                (up, down) = (higher, lower);
            }
        }
        assert_eq!(next(u64::MAX, u64::MAX), None);
        assert_eq!(previous(u64::MAX, u64::MAX), None);
    }
}
