//! A search for the winner of the position of a formula.
//!
//! The search plays whole turns by the rules: White's two forced moves in the move-wasting gadget
//! and every push of the king; then every turn of Black, with at most two moves of any black pieces
//! and a push. It leaves out White's other moves. They lose immediately unless they win
//! immediately. That they lose is the lemma of the move-wasting gadget. If White does not win, the
//! search makes sure that the king cannot come near the reward or the move-wasting gadget within
//! the turn, so that no such turn wins either.

use std::collections::{HashMap, VecDeque};

use thiserror::Error;

use super::Reduction;
use crate::reductions::moves::Side;
use crate::reductions::{Cell, Direction, Place, Position};

/// The most squares that a search stores, for all positions together, at one byte each.
pub const MAX_REMEMBERED: usize = 200_000_000;

/// The most consecutive turns of White that a search plays.
pub const MAX_TURNS: usize = 500;

/// The reason why a search has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PlayError {
    /// There are too many positions.
    #[error("the positions have more than {MAX_REMEMBERED} squares together")]
    TooMany,
    /// Play is too long.
    #[error("White made more than {MAX_TURNS} turns")]
    TooLong,
    /// The move-wasting gadget is not as expected.
    #[error("the move-wasting gadget is not as expected")]
    Disturbed,
    /// A position repeats.
    #[error("a position repeats")]
    Repeats,
    /// The king could come near a place where it wins by moves that the search leaves out.
    #[error("White might win with moves other than the forced ones")]
    Unproved,
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solved {
    /// Whether White has a winning strategy.
    pub white_wins: bool,
    /// The number of positions with White to move that were visited.
    pub positions: usize,
}

impl Reduction {
    /// Finds the winner of the position of the reduction.
    ///
    /// # Errors
    /// If the search is too long, or play is less forced than expected.
    pub fn solve(&self) -> Result<Solved, PlayError> {
        let mut search = Search { reduction: self, known: HashMap::new(), turns: 0 };
        let white_wins = search.white_wins(&self.position)?;
        Ok(Solved { white_wins, positions: search.known.len() })
    }

    /// The position after White's two forced moves: the pawns above the black king and beyond the
    /// empty column fill that column. `None` if they are not there.
    #[must_use]
    pub fn wasted(&self, position: &Position) -> Option<Position> {
        let king = position.find(|square| matches!(square, Cell::BlackKing | Cell::BlackAnchored))?;
        // The four columns beyond the rest of the board; the king alternates between the middle two.
        let (column, beyond) = match king.column.checked_sub(self.width)? {
            1 => (king.column + 1, king.column + 2),
            2 => (king.column - 1, king.column.checked_sub(2)?),
            _ => return None,
        };
        let above = king.row.checked_sub(1)?;
        let mut position = position.clone();
        for (from, to) in [
            (Place::new(above, king.column), Place::new(above, column)),
            (Place::new(king.row, beyond), Place::new(king.row, column)),
        ] {
            if position.at(from) != Cell::WhitePawn || !position.destinations(from).contains(&to) {
                return None;
            }
            position.set(from, Cell::Empty);
            position.set(to, Cell::WhitePawn);
        }
        Some(position)
    }

    /// Whether no turn of White, with any two moves, brings the king to where it could eject a
    /// black piece or reach into the move-wasting gadget: the column of the reward, the lower two
    /// rows, and the columns beyond the rest. The king moves through empty squares and at most one
    /// pawn that can make way.
    #[must_use]
    pub fn is_far_from_winning(&self, position: &Position) -> bool {
        let Some(king) = position.find(|square| matches!(square, Cell::WhiteKing | Cell::WhiteAnchored))
        else {
            return true;
        };
        let near = |place: Place| {
            Some(place.column) == self.winning_column()
                || place.column >= self.width
                || place.row + 2 >= position.rows()
        };
        let makes_way = |place: Place| {
            position.at(place) == Cell::WhitePawn
                && Direction::ALL.into_iter().any(|d| {
                    position.neighbour(place, d).is_some_and(|next| position.at(next) == Cell::Empty)
                })
        };
        // The fewest pawns on the path to each square: 0 or 1.
        let mut pawns: HashMap<Place, usize> = HashMap::from([(king, 0)]);
        let mut waiting = VecDeque::from([(king, 0)]);
        while let Some((place, passed)) = waiting.pop_front() {
            if near(place) {
                return false;
            }
            for direction in Direction::ALL {
                let Some(next) = position.neighbour(place, direction) else { continue };
                let passed = passed + usize::from(makes_way(next));
                let open = position.at(next) == Cell::Empty || makes_way(next);
                if open && passed <= 1 && pawns.get(&next).is_none_or(|&least| passed < least) {
                    pawns.insert(next, passed);
                    waiting.push_back((next, passed));
                }
            }
        }
        true
    }
}

/// A search, with the known results of positions with White to move.
struct Search<'a> {
    reduction: &'a Reduction,
    /// `None` while the position is being searched.
    known: HashMap<Vec<Cell>, Option<bool>>,
    /// White's turns on the way to the current position.
    turns: usize,
}

impl Search<'_> {
    fn white_wins(&mut self, position: &Position) -> Result<bool, PlayError> {
        match self.known.get(&position.squares) {
            Some(Some(wins)) => return Ok(*wins),
            Some(None) => return Err(PlayError::Repeats),
            None => {}
        }
        if self.known.len() >= MAX_REMEMBERED / position.squares.len().max(1) {
            return Err(PlayError::TooMany);
        }
        if self.turns == MAX_TURNS {
            return Err(PlayError::TooLong);
        }
        self.known.insert(position.squares.clone(), None);
        self.turns += 1;
        let wins = self.some_push_wins(position)?;
        self.turns -= 1;
        if !wins && !self.reduction.is_far_from_winning(position) {
            return Err(PlayError::Unproved);
        }
        self.known.insert(position.squares.clone(), Some(wins));
        Ok(wins)
    }

    fn some_push_wins(&mut self, position: &Position) -> Result<bool, PlayError> {
        let wasted = self.reduction.wasted(position).ok_or(PlayError::Disturbed)?;
        let is_king = |square| matches!(square, Cell::WhiteKing | Cell::WhiteAnchored);
        let king = wasted.find(is_king).ok_or(PlayError::Disturbed)?;
        for direction in Direction::ALL {
            let mut pushed = wasted.clone();
            let Some(ejected) = pushed.push(king, direction) else { continue };
            if ejected.is_some() || self.black_loses(&pushed)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether White wins after every turn of Black.
    fn black_loses(&mut self, position: &Position) -> Result<bool, PlayError> {
        for (after, ejected) in position.turns(Side::Black) {
            if ejected.is_some() || !self.white_wins(&after)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
