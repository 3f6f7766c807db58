//! Before the first push: the empty board, one side placed, both placed. Each player places all his pieces at
//! once on his half, the first player on the left. Placing is a turn that does not count.
//!
//! These positions are told apart without a word: nobody has an anchor, and who has no pieces is to place.

use crate::{Position, PushFight, Turn};

/// Placements that are listed at the most.
const MOST: usize = 1 << 20;

/// The subsets of `from` with `count` squares.
fn subsets(from: u64, count: u32) -> Vec<u64> {
    if count == 0 {
        return vec![0];
    }
    let mut found = Vec::new();
    let mut rest = from;
    while rest != 0 {
        let lowest = rest & rest.wrapping_neg();
        rest ^= lowest;
        found.extend(subsets(rest, count - 1).into_iter().map(|set| set | lowest));
    }
    found
}

impl PushFight {
    /// Lists the placements on both halves, unless they are too many.
    pub(crate) fn list_placements(&mut self) {
        for half in 0..2 {
            let squares = self.board.halves[half];
            let pieces = self.sides[half];
            let ways = |from: u32, count: u32| retrograde_index::binomial(from, count).unwrap_or(u128::MAX);
            let all = squares.count_ones();
            let count = ways(all, pieces.pushers)
                .saturating_mul(ways(all.saturating_sub(pieces.pushers), pieces.pawns));
            if count > MOST as u128 {
                continue;
            }
            for pushers in subsets(squares, pieces.pushers) {
                for pawns in subsets(squares & !pushers, pieces.pawns) {
                    self.placements[half].push((pushers, pawns));
                }
            }
            let numbers = self.placements[half].iter().enumerate();
            self.placement_numbers[half] = numbers.map(|(number, place)| (*place, number as u64)).collect();
        }
    }

    /// Which half the side to move is to place on: 0 the left, 1 the right; `None` in the game proper.
    pub fn to_place(&self, position: &Position) -> Option<usize> {
        if position.anchor != 0 || position.own_pushers | position.own_pawns != 0 {
            return None;
        }
        Some(usize::from(position.other_pushers | position.other_pawns != 0))
    }

    /// After the side to move has placed its pieces, seen by the other.
    pub(crate) fn placed(&self, position: &Position, (pushers, pawns): (u64, u64)) -> Position {
        Position {
            own_pushers: position.other_pushers,
            own_pawns: position.other_pawns,
            other_pushers: pushers,
            other_pawns: pawns,
            anchor: 0,
        }
    }

    pub(crate) fn placing(&self, position: &Position, half: usize) -> Vec<(Turn, Position)> {
        let turns = self.placements[half].iter();
        turns
            .map(|&(pushers, pawns)| (Turn::Place(pushers, pawns), self.placed(position, (pushers, pawns))))
            .collect()
    }

    /// How many positions there are before the first push: those with both sides placed, the empty board, and those with one
    /// side placed. 0 where they are too many to be listed.
    pub fn start_count(&self) -> u64 {
        match self.placements.each_ref().map(|half| half.len() as u64) {
            [0, _] | [_, 0] => 0,
            [left, right] => left * right + left + 1,
        }
    }

    /// The number of a position before the first push, among those that follow from the empty board.
    pub fn start_number(&self, position: &Position) -> Option<u64> {
        let (own, other) =
            ((position.own_pushers, position.own_pawns), (position.other_pushers, position.other_pawns));
        let [left, right] = &self.placement_numbers;
        let starts = left.len() as u64 * right.len() as u64;
        match self.to_place(position) {
            None => Some(left.get(&own)? * right.len() as u64 + right.get(&other)?),
            Some(0) => Some(starts + left.len() as u64),
            Some(_) => Some(starts + left.get(&other)?),
        }
    }

    /// The position that [`PushFight::start_number`] gives a number.
    pub fn start_of_number(&self, number: u64) -> Option<Position> {
        let [left, right] = &self.placements;
        let starts = left.len() as u64 * right.len() as u64;
        let empty = Position { own_pushers: 0, own_pawns: 0, other_pushers: 0, other_pawns: 0, anchor: 0 };
        if number < starts {
            let own = left[(number / right.len() as u64) as usize];
            let other = right[(number % right.len() as u64) as usize];
            let (own_pushers, own_pawns, other_pushers, other_pawns) = (own.0, own.1, other.0, other.1);
            return Some(Position { own_pushers, own_pawns, other_pushers, other_pawns, anchor: 0 });
        }
        match left.get((number - starts) as usize) {
            Some(&placed) => Some(self.placed(&empty, placed)),
            None => (number - starts == left.len() as u64).then_some(empty),
        }
    }
}
