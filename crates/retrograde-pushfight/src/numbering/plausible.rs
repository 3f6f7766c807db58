//! Plausible positions: positions in which the anchored pusher may just have pushed. It came from a
//! neighbouring square, which is empty now, and displaced a piece on the other side. So exactly one
//! of its left and right neighbours, or of its upper and lower ones, is empty, and both are on the
//! board. ("Solving Push Fight" calls these positions reachable, but not all of them occur.)
//!
//! They are counted for any board without listing them: by the occupied neighbours of the anchor,
//! and up to the board's symmetries by Burnside's lemma.

use std::collections::HashMap;

use retrograde_game::Square;

use crate::{PieceCounts, Position, PushFight};

/// Squares, with whether each is occupied.
type Pattern = Vec<(Square, bool)>;

impl PushFight {
    /// Whether the anchored pusher may just have pushed.
    pub fn is_plausible(&self, position: &Position) -> bool {
        let occupied = position.occupied();
        let one_empty = |[a, b]: [Square; 2]| occupied.contains(a) != occupied.contains(b);
        position.anchor.first().is_some_and(|anchor| self.board.neighbour_pairs(anchor).any(one_empty))
    }

    /// The ways in which the neighbours of an anchor can be occupied in a plausible position.
    fn patterns(&self, anchor: Square) -> Vec<Pattern> {
        let pairs: Vec<[Square; 2]> = self.board.neighbour_pairs(anchor).collect();
        let ways = 0..1_u32 << (2 * pairs.len());
        ways.filter_map(|way| {
            let bit = |at: usize| way >> at & 1 == 1;
            let plausible = (0..pairs.len()).any(|pair| bit(2 * pair) != bit(2 * pair + 1));
            let squares = pairs.iter().flatten().enumerate();
            plausible.then(|| squares.map(|(at, &square)| (square, bit(at))).collect())
        })
        .collect()
    }

    /// The number of plausible positions that a symmetry fixes; `None` if it needs more than 128 bits.
    fn plausible_fixed(&self, symmetry: &[Square]) -> Option<u128> {
        let fixed = self.board.all().into_iter().filter(|&square| symmetry[square.index()] == square);
        let mut sum = 0_u128;
        for anchor in fixed {
            let cycles = cycles(symmetry, anchor);
            for pattern in self.patterns(anchor) {
                for pieces in self.movers() {
                    sum = sum.checked_add(PushFight::colourings(&cycles, &pattern, pieces)?)?;
                }
            }
        }
        Some(sum)
    }

    /// The number of ways to put all pieces except the anchored one on cycles of squares so that
    /// each cycle is empty or has one kind of piece, and squares are occupied as in `pattern`.
    fn colourings(cycles: &[Vec<Square>], pattern: &Pattern, [own, other]: [PieceCounts; 2]) -> Option<u128> {
        // Cycles of the same length are equivalent unless the pattern fixes them. So they are
        // counted by length: the number of cycles that must be occupied, and of cycles that may be.
        let mut lengths: HashMap<u32, (u32, u32)> = HashMap::new();
        for cycle in cycles {
            let mut fixed =
                pattern.iter().filter(|(square, _)| cycle.contains(square)).map(|&(_, full)| full);
            let entry = lengths.entry(cycle.len() as u32).or_default();
            match fixed.next() {
                None => entry.1 += 1,
                // All squares of a cycle are occupied, or none is.
                Some(full) if fixed.any(|other| other != full) => return Some(0),
                Some(full) => entry.0 += u32::from(full),
            }
        }
        let pieces = [own.pawns, own.pushers, other.pawns, other.pushers - 1];
        let mut left: HashMap<[u32; 4], u128> = HashMap::from([(pieces, 1)]);
        for (length, (full, free)) in lengths {
            let mut after: HashMap<[u32; 4], u128> = HashMap::new();
            for (pieces, ways) in left {
                for used in splits(pieces.map(|count| count / length)) {
                    let sum: u32 = used.iter().sum();
                    if sum < full || sum - full > free {
                        continue;
                    }
                    // Chooses the occupied cycles among the free ones, and the kinds of pieces on them.
                    let mut these = ways.checked_mul(retrograde_index::binomial(free, sum - full)?)?;
                    let mut places = sum;
                    for count in used {
                        these = these.checked_mul(retrograde_index::binomial(places, count)?)?;
                        places -= count;
                    }
                    let rest = std::array::from_fn(|kind| pieces[kind] - used[kind] * length);
                    let entry = after.entry(rest).or_insert(0);
                    *entry = entry.checked_add(these)?;
                }
            }
            left = after;
        }
        Some(left.get(&[0; 4]).copied().unwrap_or(0))
    }

    /// The number of plausible positions; `None` if it needs more than 128 bits.
    pub fn plausible_count(&self) -> Option<u128> {
        self.plausible_fixed(self.symmetries.first()?)
    }

    /// The number of plausible positions up to the symmetries of the board; `None` if it needs more
    /// than 128 bits.
    pub fn plausible_orbits(&self) -> Option<u128> {
        let fixed = self.symmetries.iter().map(|symmetry| self.plausible_fixed(symmetry));
        let sum = fixed.sum::<Option<u128>>()?;
        Some(sum / self.symmetries.len() as u128)
    }

    /// The number of positions up to the symmetries of the board; `None` if it needs more than 128 bits.
    pub fn position_orbits(&self) -> Option<u128> {
        let group: Vec<Vec<usize>> =
            self.symmetries.iter().map(|all| all.iter().map(|square| square.index()).collect()).collect();
        let squares = self.board.square_count() as u32;
        let orbits = |[own, other]: [PieceCounts; 2]| {
            retrograde_index::orbits(&group, &own.codes(other, squares)).ok()
        };
        self.movers().try_fold(0_u128, |sum, pieces| sum.checked_add(orbits(pieces)?))
    }
}

/// The cycles of a symmetry, without the cycle of a fixed square.
fn cycles(symmetry: &[Square], without: Square) -> Vec<Vec<Square>> {
    let mut met = vec![false; symmetry.len()];
    met[without.index()] = true;
    let mut cycles = Vec::new();
    for from in 0..symmetry.len() as u8 {
        let (mut cycle, mut at) = (Vec::new(), Square(from));
        while !std::mem::replace(&mut met[at.index()], true) {
            cycle.push(at);
            at = symmetry[at.index()];
        }
        if !cycle.is_empty() {
            cycles.push(cycle);
        }
    }
    cycles
}

/// All tuples of numbers up to the given ones.
fn splits(most: [u32; 4]) -> impl Iterator<Item = [u32; 4]> {
    let [a, b, c, d] = most;
    (0..=a).flat_map(move |a| {
        (0..=b).flat_map(move |b| (0..=c).flat_map(move |c| (0..=d).map(move |d| [a, b, c, d])))
    })
}
