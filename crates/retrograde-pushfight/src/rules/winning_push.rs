//! Decides whether the side to move can eject a piece this turn, without listing its turns.
//!
//! A piece is ejected along a line: it is at an edge without a rail; behind it are pieces without a
//! gap, none of them anchored; then a pusher of the side to move. Moves put the missing pieces of
//! such a line in place. All moves except the last are tried; for the last, it is enough to check
//! whether a piece that the line can spare can reach the gap.

use retrograde_game::{Flow, Square, Squares};

use crate::PushFight;
use crate::position::{Arrangement, Position};

/// The squares behind a piece that can be ejected, nearest first.
struct Line {
    squares: [Square; 64],
    length: usize,
}

impl PushFight {
    /// Whether some turn ejects an opposing piece.
    pub(crate) fn ejects_now(&self, position: &Position) -> bool {
        let lines = self.lines(position);
        if lines.is_empty() {
            return false;
        }
        // All moves except the last.
        let most = self.moves.map(|moves| moves.saturating_sub(1));
        let spare = self.moves != Some(0);
        self.each_arrangement(position, most, &mut |own| {
            if lines.iter().any(|line| self.is_ready(position, own, line, spare)) {
                return Flow::Break(());
            }
            Flow::Continue(())
        })
        .is_break()
    }

    /// The lines along which an opposing piece can be ejected if the own pieces are in the right places.
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

    /// Whether a line is ready for the push, or, if `spare`, would be after one more move.
    fn is_ready(&self, position: &Position, own: Arrangement, line: &Line, spare: bool) -> bool {
        let occupied = own.squares() | position.other_pushers | position.other_pawns;
        let empty = self.board.all() & !occupied;
        let mut gap = None;
        // The own pieces that the line cannot spare.
        let mut needed = Squares::EMPTY;
        for &square in &line.squares[..line.length] {
            if own.pushers.contains(square) {
                let Some(gap) = gap else { return true };
                // A pusher further back could only spare fewer pieces.
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

    /// The squares from which a piece can reach an empty square in one move.
    fn sources(&self, to: Square, empty: Squares) -> Squares {
        let reachable = self.reachable(to, empty).into_iter();
        reachable.fold(Squares::EMPTY, |set, square| set | self.neighbours[square.index()])
    }
}
