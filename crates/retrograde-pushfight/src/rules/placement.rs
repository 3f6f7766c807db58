//! Before the first push: the empty board, one side placed, both placed. Each player places all his
//! pieces at once on his half, the first player on the left. Placing is a turn that does not count.
//!
//! Positions before the first push need no mark: nobody has an anchor, and the side without pieces
//! is to place.

use retrograde_game::Squares;

use crate::PushFight;
use crate::position::{Arrangement, Position, Turn};

/// The most placements on a half that are listed.
const MAX_PLACEMENTS: usize = 1 << 20;

/// The subsets of `from` with `count` squares.
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

impl PushFight {
    /// Lists the placements on both halves, unless they are too many.
    pub(crate) fn list_placements(&mut self) {
        for half in 0..2 {
            let squares = self.board.halves[half];
            let pieces = self.sides[half];
            let ways = |from: u32, count: u32| retrograde_index::binomial(from, count).unwrap_or(u128::MAX);
            let all = squares.len();
            let count = ways(all, pieces.pushers)
                .saturating_mul(ways(all.saturating_sub(pieces.pushers), pieces.pawns));
            if count > MAX_PLACEMENTS as u128 {
                continue;
            }
            for pushers in subsets(squares, pieces.pushers) {
                for pawns in subsets(squares & !pushers, pieces.pawns) {
                    self.placements[half].push(Arrangement { pushers, pawns });
                }
            }
            let numbers = self.placements[half].iter().enumerate();
            self.placement_numbers[half] =
                numbers.map(|(number, placement)| (*placement, number as u64)).collect();
        }
    }

    /// The half on which the side to move is to place: 0 the left, 1 the right; `None` in the game
    /// proper.
    pub fn placing_half(&self, position: &Position) -> Option<usize> {
        if !position.anchor.is_empty() || !position.own().squares().is_empty() {
            return None;
        }
        Some(usize::from(!position.other().squares().is_empty()))
    }

    /// The position after the side to move has placed its pieces, seen by the other.
    pub(crate) fn placed(&self, position: &Position, placement: Arrangement) -> Position {
        Position::of(position.other(), placement, Squares::EMPTY)
    }

    /// The turns that place the pieces on a half, with the positions they lead to.
    pub(crate) fn placements_after(&self, position: &Position, half: usize) -> Vec<(Turn, Position)> {
        let placements = self.placements[half].iter();
        placements.map(|&placement| (Turn::Place(placement), self.placed(position, placement))).collect()
    }

    /// The number of positions before the first push: those with both sides placed, the empty
    /// board, and those with one side placed. 0 where they are too many to be listed.
    pub fn start_count(&self) -> u64 {
        match self.placements.each_ref().map(|half| half.len() as u64) {
            [0, _] | [_, 0] => 0,
            [left, right] => left * right + left + 1,
        }
    }

    /// The number of a position before the first push, among those that follow from the empty
    /// board.
    pub fn start_number(&self, position: &Position) -> Option<u64> {
        let (own, other) = (position.own(), position.other());
        let [left, right] = &self.placement_numbers;
        let starts = left.len() as u64 * right.len() as u64;
        match self.placing_half(position) {
            None => Some(left.get(&own)? * right.len() as u64 + right.get(&other)?),
            Some(0) => Some(starts + left.len() as u64),
            Some(_) => Some(starts + left.get(&other)?),
        }
    }

    /// The position that [`PushFight::start_number`] gives a number.
    pub fn start_of_number(&self, number: u64) -> Option<Position> {
        let [left, right] = &self.placements;
        let starts = left.len() as u64 * right.len() as u64;
        if number < starts {
            let own = left[(number / right.len() as u64) as usize];
            let other = right[(number % right.len() as u64) as usize];
            return Some(Position::of(own, other, Squares::EMPTY));
        }
        match left.get((number - starts) as usize) {
            Some(&placed) => Some(self.placed(&Position::EMPTY, placed)),
            None => (number - starts == left.len() as u64).then_some(Position::EMPTY),
        }
    }
}
