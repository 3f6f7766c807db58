//! Pictures of positions: the first player's pawns are `X` and go up.

use retrograde_game::{GridSquare, Guide, Mark, Picture, Piece, PieceShape, Seat, Show, Square, Squares};

use crate::board::{Position, Turn};
use crate::rules::TouchDown;

impl TouchDown {
    fn show_place(&self, square: Square) -> GridSquare {
        let columns = u16::try_from(self.board.columns).unwrap_or(u16::MAX);
        GridSquare { column: u16::from(square.0) % columns, row: u16::from(square.0) / columns }
    }

    /// The first player's pawns and the second's, in the first player's view.
    fn sides(&self, position: &Position, to_move: Seat) -> (Squares, Squares) {
        match to_move {
            Seat::First => (position.own, position.other),
            Seat::Second => {
                let swapped = self.board.swap(position.own, position.other);
                (swapped.own, swapped.other)
            }
        }
    }

    /// A square of the mover's board on the first player's, or the other way round.
    pub(crate) fn turned_square(&self, square: Square, to_move: Seat) -> Square {
        let last = (self.board.columns * self.board.rows - 1) as u8;
        match to_move {
            Seat::First => square,
            Seat::Second => Square(last - square.0),
        }
    }

    /// A turn on the first player's board.
    fn turned(&self, turn: &Turn, to_move: Seat) -> Turn {
        let Turn { from, to } = *turn;
        Turn { from: self.turned_square(from, to_move), to: self.turned_square(to, to_move) }
    }
}

fn pawn(owner: Seat, letter: char) -> Piece {
    Piece { shape: PieceShape::Pawn, owner: Some(owner), anchored: false, letter }
}

impl Show for TouchDown {
    fn picture(&self, position: &Position, to_move: Seat) -> Picture {
        let mut picture = Picture::grid(self.board.columns as u16, self.board.rows as u16, to_move);
        let (first, second) = self.sides(position, to_move);
        for (pawns, owner, letter) in [(first, Seat::First, 'X'), (second, Seat::Second, 'O')] {
            for square in pawns {
                picture.put(self.show_place(square), Some(pawn(owner, letter)));
            }
            // Each side begins with a row of pawns.
            let captured = self.board.columns.saturating_sub(pawns.len()) as usize;
            picture.off_board.extend(std::iter::repeat_n(pawn(owner, letter), captured));
        }
        picture
    }

    fn palette(&self) -> Vec<Piece> {
        vec![pawn(Seat::First, 'X'), pawn(Seat::Second, 'O')]
    }

    fn marks(&self, position: &Position, turn: &Turn, to_move: Seat) -> Vec<Mark> {
        let shown = self.turned(turn, to_move);
        let (from, to) = (self.show_place(shown.from), self.show_place(shown.to));
        let captures = position.other.contains(turn.to);
        vec![if captures { Mark::Push(from, to) } else { Mark::Move(from, to) }]
    }

    fn board_text(&self, position: &Position, to_move: Seat) -> String {
        let (first, second) = self.sides(position, to_move);
        crate::notation::board(&self.board, first, second)
    }

    fn turn_on_board(&self, _position: &Position, turn: &Turn, to_move: Seat) -> String {
        crate::notation::turn(&self.board, &self.turned(turn, to_move))
    }

    fn refusal(
        &self,
        position: &Position,
        to_move: Seat,
        _begun: &[String],
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
        let squares = (self.board.columns * self.board.rows) as usize;
        for (plane, pawns) in out.chunks_exact_mut(squares).zip([position.own, position.other]) {
            for (square, value) in plane.iter_mut().enumerate() {
                *value = u8::from(pawns.contains(Square(square as u8)));
            }
        }
    }
}
