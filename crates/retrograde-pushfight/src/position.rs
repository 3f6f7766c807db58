//! Positions and turns of Push Fight, and their parts. Squares are numbered row by row from the top.

use retrograde_game::{Square, Squares};

use crate::PieceCounts;

/// The squares of one side's pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arrangement {
    /// The squares of the pushers.
    pub pushers: Squares,
    /// The squares of the pawns.
    pub pawns: Squares,
}

impl Arrangement {
    /// The squares of all pieces.
    #[inline]
    pub fn squares(self) -> Squares {
        self.pushers | self.pawns
    }

    /// The arrangement after the piece on a square has moved.
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

/// A position, seen by the side to move. The default is the empty board, before any pieces are placed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Position {
    /// The squares of the mover's pushers.
    pub own_pushers: Squares,
    /// The squares of the mover's pawns.
    pub own_pawns: Squares,
    /// The squares of the opponent's pushers, including the anchored one.
    pub other_pushers: Squares,
    /// The squares of the opponent's pawns.
    pub other_pawns: Squares,
    /// The square of the opponent's anchored pusher, as a set; empty before the first push.
    pub anchor: Squares,
}

impl Position {
    /// Applies `map` to each set of the position. If `map` applies a symmetry of the board, the
    /// result is the image.
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

    /// Creates a position from the pieces of both sides.
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

/// A move of one piece, or a push, from a square to a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Step {
    /// The square that the piece leaves.
    pub from: Square,
    /// The square that the piece reaches.
    pub to: Square,
}

/// A turn: everything one player does until the other is to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Turn {
    /// Places all pieces of a side, before the game proper.
    Place(Arrangement),
    /// Moves, followed by a push.
    Steps(Vec<Step>),
}
