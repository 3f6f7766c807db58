//! Pictures of positions: the first player's pawns are `X` and move up.

use retrograde_game::{Guide, Mark, Picture, Piece, PieceShape, Seat, Show, Square, TextError};

use crate::board::{Position, Turn};
use crate::rules::TouchDown;

impl TouchDown {
    /// Converts a square between the mover's view and the first player's view, in either direction.
    pub(crate) fn turned_square(&self, square: Square, to_move: Seat) -> Square {
        let last = (self.board.columns * self.board.rows - 1) as u8;
        match to_move {
            Seat::First => square,
            Seat::Second => Square(last - square.0),
        }
    }
}

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

    fn palette(&self) -> Vec<Piece> {
        Piece::sides(PieceShape::Pawn).to_vec()
    }

    fn marks(&self, position: &Position, turn: &Turn, to_move: Seat) -> Vec<Mark> {
        let Turn { from, to } = self.first_view_of_turn(turn, to_move);
        let (from, to) = (self.board.grid.place(from), self.board.grid.place(to));
        let captures = position.other.contains(turn.to);
        vec![if captures { Mark::Push(from, to) } else { Mark::Move(from, to) }]
    }

    fn first_view(&self, position: &Position, to_move: Seat) -> Position {
        match to_move {
            Seat::First => *position,
            Seat::Second => self.board.swap(position.own, position.other),
        }
    }

    fn first_view_of_turn(&self, turn: &Turn, to_move: Seat) -> Turn {
        let Turn { from, to } = *turn;
        Turn { from: self.turned_square(from, to_move), to: self.turned_square(to, to_move) }
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

    fn plane_shape(&self) -> (usize, usize) {
        (self.board.rows as usize, self.board.columns as usize)
    }

    fn planes(&self, position: &Position, out: &mut [u8]) {
        self.board.grid.planes([position.own, position.other], out);
    }

    fn position_of_planes(&self, planes: &[u8]) -> Result<Position, TextError> {
        let Some([own, other]) = self.board.grid.sets_of_planes(planes) else {
            return Err(self.no_planes(planes, "every value must be 0 or 1"));
        };
        if !(own & other).is_empty() {
            return Err(self.no_planes(planes, "two pawns stand on one square"));
        }
        match self.fault(own, other) {
            Some(reason) => Err(self.no_planes(planes, &reason)),
            None => Ok(Position { own, other }),
        }
    }
}
