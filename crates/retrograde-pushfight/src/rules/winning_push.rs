//! Can the side to move eject a piece this turn?
//!
//! A piece is ejected along a line: it stands at an edge without a rail, behind it pieces without a gap and none of
//! them anchored, then a pusher of the side to move. What is missing of such a line is put there by moves; the last
//! missing piece is not tried but looked for: whether one that the line can spare has a way to the gap.

use std::ops::ControlFlow;

use crate::rules::{Own, squares};
use crate::{Position, PushFight};

/// The squares behind a piece that can be ejected, from the nearest one.
struct Line {
    squares: [u8; 64],
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
        for piece in squares((position.other_pushers | position.other_pawns) & !position.anchor) {
            for d in 0..4 {
                let at = usize::from(piece);
                if self.board.next[at][d].is_some() || self.board.rail[at][d] {
                    continue;
                }
                let mut line = Line { squares: [0; 64], length: 0 };
                let mut behind = self.board.next[at][(d + 2) % 4];
                while let Some(square) = behind.filter(|&square| position.anchor >> square & 1 == 0) {
                    line.squares[line.length] = square;
                    line.length += 1;
                    behind = self.board.next[usize::from(square)][(d + 2) % 4];
                }
                lines.push(line);
            }
        }
        lines
    }

    /// Whether a line is ready for the push, or, with a move to spare, would be after that move.
    fn is_ready(&self, position: &Position, (pushers, pawns): Own, line: &Line, spare: bool) -> bool {
        let own = pushers | pawns;
        let occupied = own | position.other_pushers | position.other_pawns;
        let empty = self.board.all() & !occupied;
        let mut gap = None;
        // Own pieces that the line cannot spare.
        let mut needed = 0_u64;
        for &square in &line.squares[..line.length] {
            let bit = 1_u64 << square;
            if pushers & bit != 0 {
                let Some(gap) = gap else { return true };
                // A pusher further behind could only spare less.
                return self.comers(gap, empty) & own & !needed & !bit != 0;
            }
            if occupied & bit == 0 {
                if gap.is_some() || !spare {
                    return false;
                }
                if self.comers(square, empty) & pushers & !needed != 0 {
                    return true;
                }
                gap = Some(square);
            }
            needed |= bit;
        }
        false
    }

    /// The squares from which a piece can come to an empty square in one move.
    fn comers(&self, to: u8, empty: u64) -> u64 {
        squares(self.region(to, empty)).fold(0, |set, square| set | self.beside[usize::from(square)])
    }
}
