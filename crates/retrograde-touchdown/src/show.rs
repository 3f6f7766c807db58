//! Pictures of positions.

use retrograde_game::{Guide, Mark, Picture, Piece, PieceShape, Seat, Show};

use crate::board::{Position, Turn};
use crate::rules::TouchDown;

impl Show for TouchDown {
    fn picture(&self, position: &Position, to_move: Seat) -> Picture {
        let Position { own, other } = self.first_view(position, to_move);
        let pieces = Piece::sides(PieceShape::Pawn);
        let mut picture = self.board.grid.picture(to_move, pieces, [own, other]);
        for (pawns, piece) in [own, other].into_iter().zip(pieces) {
            // Each side begins with a row of pawns.
            let captured = self.board.columns.saturating_sub(pawns.len()) as usize;
            picture.off_board.extend(std::iter::repeat_n(piece, captured));
        }
        picture
    }

    fn marks(&self, position: &Position, turn: &Turn, to_move: Seat) -> Vec<Mark> {
        let Turn { from, to } = self.first_view_of_turn(turn, to_move);
        let (from, to) = (self.board.grid.place(from), self.board.grid.place(to));
        let captures = position.other.contains(turn.to);
        vec![if captures { Mark::Push(from, to) } else { Mark::Move(from, to) }]
    }

    fn refusal(
        &self,
        position: &Position,
        to_move: Seat,
        _prefix: &[String],
        squares: &[&str],
    ) -> Option<String> {
        self.why_no_step(position, to_move, squares)
    }

    fn guide(&self) -> Guide {
        self.rules_guide()
    }

    fn plane_names(&self) -> Vec<&'static str> {
        vec!["own pawns", "opponent pawns"]
    }
}
