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
        self.after_moves_of(|piece| side.owns(piece), most)
    }

    /// The positions after at most `most` moves of some of the pieces, as in [`after_moves`](Self::after_moves).
    pub(crate) fn after_moves_of(&self, moves: impl Fn(Cell) -> bool, most: usize) -> Vec<Position> {
        let mut all = vec![self.clone()];
        let mut seen = HashSet::from([self.squares.clone()]);
        let mut begin = 0;
        for _ in 0..most {
            let end = all.len();
            for at in begin..end {
                let here = all[at].clone();
                for from in here.places().filter(|&place| moves(here.at(place))) {
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

    /// All turns of one side: the position after at most `most` moves and a push, and the piece that
    /// was ejected.
    #[must_use]
    pub fn turns(&self, side: Side, most: usize) -> Vec<(Position, Option<Cell>)> {
        self.after_moves(side, most).iter().flat_map(|moved| moved.pushes(side)).collect()
    }

    /// All pushes of one side, as in [`turns`](Self::turns).
    #[must_use]
    pub fn pushes(&self, side: Side) -> Vec<(Position, Option<Cell>)> {
        let kings = self.places().filter(|&place| self.at(place).is_king() && side.owns(self.at(place)));
        kings.flat_map(|king| self.pushes_of(king)).collect()
    }

    /// All pushes of the king on a square, as in [`turns`](Self::turns).
    pub(crate) fn pushes_of(&self, king: Place) -> Vec<(Position, Option<Cell>)> {
        let push = |direction| {
            let mut pushed = self.clone();
            pushed.push(king, direction).map(|ejected| (pushed, ejected))
        };
        Direction::ALL.into_iter().filter_map(push).collect()
    }
}
