//! Explains why touched squares are not a turn.

use retrograde_game::{Seat, Square};

use crate::board::Position;
use crate::rules::TouchDown;

impl TouchDown {
    /// Converts a square between the mover's view and the first player's view, in either direction.
    fn turned_square(&self, square: Square, to_move: Seat) -> Square {
        let last = (self.board.grid.count() - 1) as u8;
        match to_move {
            Seat::First => square,
            Seat::Second => Square(last - square.0),
        }
    }

    /// Implements [`Show::refusal`](retrograde_game::Show::refusal). Squares are named as the first
    /// player sees them.
    pub(crate) fn why_no_step(&self, position: &Position, to_move: Seat, touched: &[&str]) -> Option<String> {
        if self.over(*position) {
            return Some("The game is over.".to_owned());
        }
        let mut squares = Vec::with_capacity(touched.len());
        for label in touched {
            match self.board.grid.named(label) {
                Some(square) => squares.push(self.turned_square(square, to_move)),
                None => return Some(format!("There is no square {label}.")),
            }
        }
        let (&from, rest) = squares.split_first()?;
        if position.other.contains(from) {
            return Some(format!("This pawn is {}'s.", to_move.other().name()));
        }
        if !position.own.contains(from) {
            return Some(format!("There is no pawn on {}.", touched[0]));
        }
        match *rest {
            [] if self.goes_somewhere(position, from) => None,
            [] => Some("This pawn cannot move ahead and has nothing to capture.".to_owned()),
            [to] => self.why_not_to(position, from, to),
            _ => Some("A turn has two squares.".to_owned()),
        }
    }

    fn goes_somewhere(&self, position: &Position, from: Square) -> bool {
        self.board.all.into_iter().any(|to| self.why_not_to(position, from, to).is_none())
    }

    /// The reason why a pawn cannot go from one square to another, in the mover's coordinates.
    fn why_not_to(&self, position: &Position, from: Square, to: Square) -> Option<String> {
        let occupied = position.own.contains(to) || position.other.contains(to);
        let reason = if from.0.checked_sub(self.board.columns as u8) == Some(to.0) {
            occupied.then_some("The way is blocked: pawns capture diagonally only.")
        } else if !self.board.captors(to).contains(from) {
            Some("A pawn moves one row ahead: straight, or diagonally to capture.")
        } else if position.own.contains(to) {
            Some("Your own pawn is on that square.")
        } else {
            (!occupied).then_some("A pawn moves diagonally only to capture.")
        };
        reason.map(str::to_owned)
    }
}
