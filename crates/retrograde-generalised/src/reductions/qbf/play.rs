//! A search for the winner of the position of a formula.
//!
//! The search plays whole turns by the rules: White's forced moves in the move-wasting gadget, one in
//! each unit, and every push of the king; then all moves of black pawns and a push of a locomotive (without
//! moves, of the black king). It leaves out White's other moves. They lose immediately unless they win
//! immediately. That they lose is the lemma of the move-wasting gadget. If White does not win, the
//! search makes sure that the king cannot come near the reward or the move-wasting gadget within
//! the turn, so that no such turn wins either. It also leaves out Black's other turns, which gain nothing.

use std::collections::{HashMap, VecDeque};

use thiserror::Error;

use super::Reduction;
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

    /// The position after White's forced moves: in the move-wasting gadget, each pawn above a black king
    /// goes to the other column of its unit. `None` if they cannot.
    #[must_use]
    pub fn wasted(&self, position: &Position) -> Option<Position> {
        let mut position = position.clone();
        let row = position.rows().checked_sub(2)?;
        let beyond = (self.width..position.columns()).map(|column| Place::new(row, column));
        let pawns: Vec<Place> = beyond.filter(|&place| position.at(place) == Cell::WhitePawn).collect();
        for pawn in pawns {
            let below = position.at(Place::new(row + 1, pawn.column));
            let [other] = position.destinations(pawn)[..] else { return None };
            if !matches!(below, Cell::BlackKing | Cell::BlackAnchored) {
                return None;
            }
            position.set(pawn, Cell::Empty);
            position.set(other, Cell::WhitePawn);
        }
        Some(position)
    }

    /// Black's turns that a search needs, as in [`Position::turns`]: the moves of black pawns, then a push
    /// of the first or last black king, which is a locomotive of the move-wasting gadget.
    #[must_use]
    pub fn black_turns(&self, position: &Position) -> Vec<(Position, Option<Cell>)> {
        let mut turns = Vec::new();
        for moved in position.after_moves_of(|piece| piece == Cell::BlackPawn, self.moves) {
            let is_king = |&place: &Place| matches!(moved.at(place), Cell::BlackKing | Cell::BlackAnchored);
            let first = moved.places().find(is_king);
            let last = moved.places().filter(is_king).last().filter(|_| self.moves > 0);
            turns.extend(first.into_iter().chain(last).flat_map(|king| moved.pushes_of(king)));
        }
        turns
    }

    /// Whether no turn of White brings the king to where it could eject a black piece: the column of
    /// the reward, and the columns of the move-wasting gadget. One move is the king's, and each of the others takes
    /// at most one pawn out of its way.
    #[must_use]
    pub fn is_far_from_winning(&self, position: &Position) -> bool {
        let Some(king) = position.find(|square| matches!(square, Cell::WhiteKing | Cell::WhiteAnchored))
        else {
            return true;
        };
        let near = |place: Place| Some(place.column) == self.winning_column() || place.column >= self.width;
        // The fewest pawns on the path to each square.
        let mut pawns: HashMap<Place, usize> = HashMap::from([(king, 0)]);
        let mut waiting = VecDeque::from([(king, 0)]);
        while let Some((place, passed)) = waiting.pop_front() {
            if near(place) {
                return false;
            }
            for direction in Direction::ALL {
                let Some(next) = position.neighbour(place, direction) else { continue };
                let passed = passed + usize::from(position.at(next) != Cell::Empty);
                if passed < self.moves && pawns.get(&next).is_none_or(|&known| passed < known) {
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
        for (after, ejected) in self.reduction.black_turns(position) {
            if ejected.is_some() || !self.white_wins(&after)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
