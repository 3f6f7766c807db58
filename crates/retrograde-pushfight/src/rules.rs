//! The rules: moves, pushes and turns.

mod arrangements;
mod placement;
mod predecessors;
mod steps;
mod turns;
mod winning_push;

use retrograde_game::{Flow, Square, Squares};

use crate::PushFight;
use crate::position::{Arrangement, Position};

impl PushFight {
    /// All squares that a piece can reach from a square over empty squares, including the square itself.
    pub(crate) fn reachable(&self, from: Square, empty: Squares) -> Squares {
        let mut reached = from.set();
        let mut border = reached;
        while let Some(square) = border.pop_first() {
            let more = self.neighbours[square.index()] & empty & !reached;
            reached |= more;
            border |= more;
        }
        reached
    }

    /// Whether the side to move can push without moving first. This settles most positions quickly;
    /// if it returns `false`, moves may still make a push possible.
    pub fn pushes_at_once(&self, position: &Position) -> bool {
        self.each_push(position, position.own(), &mut |_, _| Flow::Break(())).is_break()
    }

    /// The position after a push in direction `d`, seen by the other player; `None` if the push is
    /// not legal. `own` are the mover's pieces after the moves.
    pub(crate) fn pushed(
        &self,
        position: &Position,
        own: Arrangement,
        from: Square,
        d: usize,
    ) -> Option<Position> {
        let first = self.board.next[from.index()][d]?;
        let mut all = [own.pushers, own.pawns, position.other_pushers, position.other_pawns];
        let occupied = own.squares() | position.other_pushers | position.other_pawns;
        if !occupied.contains(first) {
            return None;
        }
        // The pieces ahead, up to the first empty square or the edge.
        let mut line = [Square(0); 64];
        let mut length = 0;
        let mut at = first;
        let end = loop {
            if !occupied.contains(at) {
                break Some(at);
            }
            if position.anchor.contains(at) {
                return None;
            }
            line[length] = at;
            length += 1;
            match self.board.next[at.index()][d] {
                Some(next) => at = next,
                None if self.board.rail[at.index()][d] => return None,
                None => break None,
            }
        };
        if end.is_none() && own.squares().contains(line[length - 1]) {
            return None;
        }
        for &square in line[..length].iter().rev() {
            let ahead = self.board.ahead(square, d);
            for set in &mut all {
                // Branch-free, because a branch on which set holds the square would be unpredictable.
                let here = (set.0 >> square.0 & 1).wrapping_neg();
                *set = set.without(square) | Squares(ahead.0 & here);
            }
        }
        let [own_pushers, own_pawns, other_pushers, other_pawns] = all;
        let anchor = first.set();
        Some(Position {
            own_pushers: other_pushers,
            own_pawns: other_pawns,
            other_pushers: own_pushers.without(from) | anchor,
            other_pawns: own_pawns,
            anchor,
        })
    }

    /// Whether a piece of the side to move is missing. The player who just pushed has all pieces.
    pub(crate) fn ejected(&self, position: &Position) -> bool {
        position.occupied().len() < self.piece_count
    }
}
