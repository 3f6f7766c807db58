//! Numbers the ways to place a side's pieces on its half: first by the squares of the pushers, then
//! by the pawns on the remaining squares, each in lexicographic order.
//!
//! Numbers are computed without lists: a list of the ways to place seven pawns would take more
//! memory than everything else in a game.

use retrograde_game::{Square, Squares};
use retrograde_index::Combinations;

use crate::PieceCounts;
use crate::position::Arrangement;

/// The most placements on a half that get numbers.
const MAX_PLACEMENTS: u128 = 1 << 20;

/// The placements on one half.
#[derive(Clone, Debug)]
pub(crate) struct Placements {
    half: Squares,
    pieces: PieceCounts,
    /// The number of ways to place the pawns after the pushers.
    pawn_ways: u64,
    /// The number of placements; 0 if there are too many or the half is too small.
    count: u64,
}

/// The rank of a set among the sets of equal size on the squares `from`.
fn rank(from: Squares, set: Squares) -> u64 {
    // Lexicographic order is the reverse of the order of the mirrored masks.
    let (squares, count) = (from.len(), set.len());
    let place = |square: Square| Squares(from.0 & (square.set().0 - 1)).len();
    let mirrored = set.into_iter().fold(0, |mask, square| mask | 1 << (squares - 1 - place(square)));
    combinations(squares).map_or(0, |sets| sets.count(count) - 1 - sets.rank(mirrored))
}

/// The set of `count` of the squares `from` with a rank.
fn unrank(from: Squares, count: u32, rank: u64) -> Option<Squares> {
    let sets = combinations(from.len())?;
    let mirrored = sets.unrank(count, sets.count(count).checked_sub(rank + 1)?)?;
    let places = from.into_iter().enumerate();
    let squares = from.len() as usize;
    Some(
        places
            .filter(|(place, _)| mirrored >> (squares - 1 - place) & 1 == 1)
            .map(|(_, square)| square)
            .collect(),
    )
}

/// The numbering of the subsets of `squares` squares; `None` for more than 64.
fn combinations(squares: u32) -> Option<Combinations> {
    Combinations::new(squares).ok()
}

impl Placements {
    /// Creates the placements of pieces on a half.
    pub fn new(half: Squares, pieces: PieceCounts) -> Placements {
        let ways = |from: u32, count: u32| retrograde_index::binomial(from, count).unwrap_or(u128::MAX);
        let pawn_ways = ways(half.len().saturating_sub(pieces.pushers), pieces.pawns);
        let all = ways(half.len(), pieces.pushers).saturating_mul(pawn_ways);
        let count = if all > MAX_PLACEMENTS { 0 } else { all as u64 };
        Placements { half, pieces, pawn_ways: pawn_ways.min(MAX_PLACEMENTS) as u64, count }
    }

    /// The number of placements; 0 if there are too many to number.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether there are no placements, or too many.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The number of a placement; `None` if it is not a placement of these pieces.
    pub fn number(&self, placement: &Arrangement) -> Option<u64> {
        let Arrangement { pushers, pawns } = *placement;
        let fits = self.count > 0
            && placement.counts() == self.pieces
            && !pushers.intersects(pawns)
            && !(pushers | pawns).intersects(!self.half);
        fits.then(|| rank(self.half, pushers) * self.pawn_ways + rank(self.half & !pushers, pawns))
    }

    /// The placement with a number; `None` past the end.
    pub fn placement(&self, number: u64) -> Option<Arrangement> {
        if number >= self.count {
            return None;
        }
        let pushers = unrank(self.half, self.pieces.pushers, number / self.pawn_ways)?;
        let pawns = unrank(self.half & !pushers, self.pieces.pawns, number % self.pawn_ways)?;
        Some(Arrangement { pushers, pawns })
    }

    /// All placements in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Arrangement> {
        (0..self.count).filter_map(|number| self.placement(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The subsets of `from` with `count` squares, in lexicographic order.
    fn subsets(from: Squares, count: u32) -> Vec<Squares> {
        if count == 0 {
            return vec![Squares::EMPTY];
        }
        let mut found = Vec::new();
        let mut rest = from;
        while let Some(lowest) = rest.pop_first() {
            found.extend(subsets(rest, count - 1).into_iter().map(|set| set.with(lowest)));
        }
        found
    }

    #[test]
    fn placements_are_numbered_in_the_order_of_their_list() {
        let half = Squares(0b1011_0110_1101);
        for (pushers, pawns) in [(1, 0), (2, 2), (3, 2), (4, 4), (8, 0), (5, 4), (1, 9)] {
            let pieces = PieceCounts { pushers, pawns };
            let placements = Placements::new(half, pieces);
            let listed: Vec<Arrangement> = subsets(half, pushers)
                .into_iter()
                .flat_map(|pushers| {
                    subsets(half & !pushers, pawns)
                        .into_iter()
                        .map(move |pawns| Arrangement { pushers, pawns })
                })
                .collect();
            assert_eq!(placements.len(), listed.len() as u64);
            assert!(placements.iter().eq(listed.iter().copied()), "{pieces}");
            for (number, placement) in (0..).zip(&listed) {
                assert_eq!(placements.number(placement), Some(number), "{pieces}");
            }
            assert_eq!(placements.placement(placements.len()), None);
        }
    }

    #[test]
    fn invalid_placements_have_no_number() {
        let placements = Placements::new(Squares(0xff), PieceCounts { pushers: 2, pawns: 1 });
        let of = |pushers, pawns| {
            placements.number(&Arrangement { pushers: Squares(pushers), pawns: Squares(pawns) })
        };
        assert!(of(0b11, 0b100).is_some());
        // Two on one square, outside the half, too few.
        assert_eq!([of(0b11, 0b10), of(0b11, 0x100), of(0b1, 0b100), of(0, 0)], [None; 4]);
    }

    #[test]
    fn too_many_placements_are_not_numbered() {
        let placements = Placements::new(Squares(u64::from(u32::MAX)), PieceCounts { pushers: 8, pawns: 8 });
        assert!(placements.is_empty() && placements.iter().next().is_none());
        let only = Arrangement { pushers: Squares(0xff), pawns: Squares(0xff00) };
        assert_eq!(placements.number(&only), None);
    }
}
