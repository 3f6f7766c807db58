//! Whether the side to move can eject a piece this turn, without listing its turns.
//!
//! A piece is ejected along a line: it stands at an edge without a rail, behind it pieces without a
//! gap and none of them anchored, then a pusher of the side to move. Moves put the missing pieces
//! of such a line there. All moves but the last are tried; for the last it is enough to ask whether
//! a piece that the line can spare has a way to the gap.

use std::ops::ControlFlow;

use retrograde_game::{Square, Squares};

use crate::PushFight;
use crate::position::{Arrangement, Position};

/// The squares behind a piece that can be ejected, from the nearest one.
struct Line {
    squares: [Square; 64],
    length: usize,
}

impl PushFight {
    /// Whether some turn ejects a piece of the opponent.
    pub(crate) fn ejects_now(&self, position: &Position) -> bool {
        let lines = self.lines(position);
        if lines.is_empty() {
            return false;
        }
        // All moves but the last.
        let most = self.moves.map(|moves| moves.saturating_sub(1));
        let spare = self.moves != Some(0);
        self.each_arrangement_within(position, most, &mut |own| {
            if lines.iter().any(|line| self.is_ready(position, own, line, spare)) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })
        .is_break()
    }

    /// The lines along which a piece of the opponent can be ejected, if own pieces stand right.
    fn lines(&self, position: &Position) -> Vec<Line> {
        let mut lines = Vec::new();
        for piece in position.other().squares() & !position.anchor {
            for d in 0..4 {
                let at = piece.index();
                if self.board.next[at][d].is_some() || self.board.rail[at][d] {
                    continue;
                }
                let mut line = Line { squares: [Square(0); 64], length: 0 };
                let mut behind = self.board.next[at][(d + 2) % 4];
                while let Some(square) = behind.filter(|&square| !position.anchor.contains(square)) {
                    line.squares[line.length] = square;
                    line.length += 1;
                    behind = self.board.next[square.index()][(d + 2) % 4];
                }
                lines.push(line);
            }
        }
        lines
    }

    /// Whether a line is ready for the push, or, with a move to spare, would be after that move.
    fn is_ready(&self, position: &Position, own: Arrangement, line: &Line, spare: bool) -> bool {
        let occupied = own.squares() | position.other_pushers | position.other_pawns;
        let empty = self.board.all() & !occupied;
        let mut gap = None;
        // Own pieces that the line cannot spare.
        let mut needed = Squares::EMPTY;
        for &square in &line.squares[..line.length] {
            if own.pushers.contains(square) {
                let Some(gap) = gap else { return true };
                // A pusher further behind could only spare less.
                let spared = own.squares() & !needed.with(square);
                return self.sources(gap, empty).intersects(spared);
            }
            if !occupied.contains(square) {
                if gap.is_some() || !spare {
                    return false;
                }
                if self.sources(square, empty).intersects(own.pushers & !needed) {
                    return true;
                }
                gap = Some(square);
            }
            needed.insert(square);
        }
        false
    }

    /// The squares from which a piece can come to an empty square in one move.
    fn sources(&self, to: Square, empty: Squares) -> Squares {
        let reachable = self.reachable(to, empty).into_iter();
        reachable.fold(Squares::EMPTY, |set, square| set | self.neighbours[square.index()])
    }
}
