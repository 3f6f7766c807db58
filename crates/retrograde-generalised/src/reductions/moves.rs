//! The positions after one side's moves: the part of a turn before the push, by plain search.

use std::collections::HashSet;

use crate::reductions::{Cell, Direction, Place, Position};

/// The two sides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// White, the side to move in a drawing.
    White,
    /// Black.
    Black,
}

impl Side {
    /// Whether a piece belongs to this side.
    #[must_use]
    pub fn owns(self, square: Cell) -> bool {
        match self {
            Side::White => square.is_white(),
            Side::Black => square.is_black(),
        }
    }
}

impl Position {
    /// The empty squares that a piece on a square can reach.
    #[must_use]
    pub fn destinations(&self, from: Place) -> Vec<Place> {
        let mut seen = HashSet::from([from]);
        let mut reached = vec![from];
        let mut next = 0;
        while let Some(&here) = reached.get(next) {
            next += 1;
            for direction in Direction::ALL {
                if let Some(there) = self.neighbour(here, direction)
                    && self.at(there) == Cell::Empty
                    && seen.insert(there)
                {
                    reached.push(there);
                }
            }
        }
        reached.remove(0);
        reached
    }

    /// The positions after at most `most` moves of one side, each once, beginning with the position
    /// itself. Pieces of one kind are interchangeable.
    #[must_use]
    pub fn after_moves(&self, side: Side, most: usize) -> Vec<Position> {
        let mut all = vec![self.clone()];
        let mut seen = HashSet::from([self.squares.clone()]);
        let mut begin = 0;
        for _ in 0..most {
            let end = all.len();
            for at in begin..end {
                let here = all[at].clone();
                for from in here.places().filter(|&place| side.owns(here.at(place))) {
                    for to in here.destinations(from) {
                        let mut after = here.clone();
                        after.set(to, here.at(from));
                        after.set(from, Cell::Empty);
                        if seen.insert(after.squares.clone()) {
                            all.push(after);
                        }
                    }
                }
            }
            begin = end;
        }
        all
    }

    /// All turns of one side: the position after at most two moves and a push, and the piece that
    /// was ejected.
    #[must_use]
    pub fn turns(&self, side: Side) -> Vec<(Position, Option<Cell>)> {
        let mut turns = Vec::new();
        for moved in self.after_moves(side, 2) {
            for place in
                moved.places().filter(|&place| moved.at(place).is_king() && side.owns(moved.at(place)))
            {
                for direction in Direction::ALL {
                    let mut pushed = moved.clone();
                    if let Some(ejected) = pushed.push(place, direction) {
                        turns.push((pushed, ejected));
                    }
                }
            }
        }
        turns
    }
}
