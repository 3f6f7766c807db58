//! Positions of Push Fight, turns, and their parts. All squares are numbered row by row from the
//! top.

use retrograde_game::{Square, Squares};

use crate::PieceCounts;

/// The squares of one side's pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arrangement {
    /// Squares of the pushers.
    pub pushers: Squares,
    /// Squares of the pawns.
    pub pawns: Squares,
}

impl Arrangement {
    /// The squares of all pieces.
    #[inline]
    pub fn squares(self) -> Squares {
        self.pushers | self.pawns
    }

    /// The same after the piece on a square has moved.
    pub(crate) fn with_move(self, Step { from, to }: Step) -> Arrangement {
        let Arrangement { pushers, pawns } = self;
        if pushers.contains(from) {
            Arrangement { pushers: pushers.without(from).with(to), pawns }
        } else {
            Arrangement { pushers, pawns: pawns.without(from).with(to) }
        }
    }

    /// The number of pieces of each kind.
    #[inline]
    pub fn counts(self) -> PieceCounts {
        PieceCounts { pushers: self.pushers.len(), pawns: self.pawns.len() }
    }
}

/// A position, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// Squares of the mover's pushers.
    pub own_pushers: Squares,
    /// Squares of the mover's pawns.
    pub own_pawns: Squares,
    /// Squares of the opponent's pushers, the anchored one included.
    pub other_pushers: Squares,
    /// Squares of the opponent's pawns.
    pub other_pawns: Squares,
    /// The square of the opponent's anchored pusher, as a set; empty before the first push.
    pub anchor: Squares,
}

impl Position {
    /// The empty board, on which nobody has placed yet.
    pub(crate) const EMPTY: Position = Position {
        own_pushers: Squares::EMPTY,
        own_pawns: Squares::EMPTY,
        other_pushers: Squares::EMPTY,
        other_pawns: Squares::EMPTY,
        anchor: Squares::EMPTY,
    };

    /// The position with each of its sets replaced: its image, where `map` applies a symmetry of the
    /// board.
    #[inline]
    #[must_use]
    pub fn map(&self, map: impl Fn(Squares) -> Squares) -> Position {
        Position {
            own_pushers: map(self.own_pushers),
            own_pawns: map(self.own_pawns),
            other_pushers: map(self.other_pushers),
            other_pawns: map(self.other_pawns),
            anchor: map(self.anchor),
        }
    }

    /// The position of two sides.
    #[inline]
    pub(crate) fn of(own: Arrangement, other: Arrangement, anchor: Squares) -> Position {
        Position {
            own_pushers: own.pushers,
            own_pawns: own.pawns,
            other_pushers: other.pushers,
            other_pawns: other.pawns,
            anchor,
        }
    }

    /// The mover's pieces.
    #[inline]
    pub fn own(&self) -> Arrangement {
        Arrangement { pushers: self.own_pushers, pawns: self.own_pawns }
    }

    /// The opponent's pieces.
    #[inline]
    pub fn other(&self) -> Arrangement {
        Arrangement { pushers: self.other_pushers, pawns: self.other_pawns }
    }

    /// The squares of all pieces.
    #[inline]
    pub fn occupied(&self) -> Squares {
        self.own_pushers | self.own_pawns | self.other_pushers | self.other_pawns
    }
}

/// A move of one piece, or the push: from a square to a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Step {
    /// The square that the piece leaves.
    pub from: Square,
    /// The square that it goes to.
    pub to: Square,
}

/// A turn: all that one player does until the other is to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Turn {
    /// Placing all pieces, before the game proper.
    Place(Arrangement),
    /// Moves, and a push at the end.
    Steps(Vec<Step>),
}
