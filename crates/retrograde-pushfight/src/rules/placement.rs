//! Positions before the first push: the empty board, one side placed, both sides placed. Each
//! player places all pieces at once on their half; the first player has the left one. Placing is a
//! turn that does not count.
//!
//! These positions need no marker: there is no anchor, and the side without pieces is to place.

use retrograde_game::Squares;
use retrograde_game::interrupt::{enough, interrupted};

use crate::PushFight;
use crate::numbering::placements::Placements;
use crate::position::{Arrangement, Position, Turn};

impl PushFight {
    /// The half on which the side to move must place: 0 is left, 1 is right; `None` in the game proper.
    pub fn placing_half(&self, position: &Position) -> Option<usize> {
        if !position.anchor.is_empty() || !position.own().squares().is_empty() {
            return None;
        }
        Some(usize::from(!position.other().squares().is_empty()))
    }

    /// The position after the side to move has placed its pieces, seen by the other player.
    pub(crate) fn placed(&self, position: &Position, placement: Arrangement) -> Position {
        Position::of(position.other(), placement, Squares::EMPTY)
    }

    /// The turns that place pieces on a half, with the positions they lead to.
    pub(crate) fn placements_after(&self, position: &Position, half: usize) -> Vec<(Turn, Position)> {
        let placements = self.placements[half].iter().enumerate();
        placements
            .take_while(|(count, _)| !interrupted() && !enough(*count))
            .map(|(_, placement)| (Turn::Place(placement), self.placed(position, placement)))
            .collect()
    }

    /// The number of positions before the first push: those with both sides placed, the empty
    /// board, and those with one side placed. 0 if there are too many to list.
    pub fn start_count(&self) -> u64 {
        match self.placements.each_ref().map(Placements::len) {
            [0, _] | [_, 0] => 0,
            [left, right] => left * right + left + 1,
        }
    }

    /// The number of a position before the first push, if it is reachable from the empty board.
    pub fn start_number(&self, position: &Position) -> Option<u64> {
        let (own, other) = (position.own(), position.other());
        let [left, right] = &self.placements;
        let starts = left.len() * right.len();
        match self.placing_half(position) {
            None => Some(left.number(&own)? * right.len() + right.number(&other)?),
            Some(0) => Some(starts + left.len()),
            Some(_) => Some(starts + left.number(&other)?),
        }
    }

    /// The position with a number from [`PushFight::start_number`].
    pub fn start_of_number(&self, number: u64) -> Option<Position> {
        let [left, right] = &self.placements;
        let starts = left.len() * right.len();
        if number < starts {
            let own = left.placement(number / right.len())?;
            let other = right.placement(number % right.len())?;
            return Some(Position::of(own, other, Squares::EMPTY));
        }
        match left.placement(number - starts) {
            Some(placed) => Some(self.placed(&Position::default(), placed)),
            None => (number - starts == left.len()).then(Position::default),
        }
    }
}
