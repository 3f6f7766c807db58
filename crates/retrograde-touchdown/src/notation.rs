//! Turns as people write them: two squares, `b1b2`, with columns a, b, … z, aa, … and rows counted from the
//! mover's side.

use retrograde_game::{Game, TextError};

use crate::board::{Position, Turn};
use crate::rules::TouchDown;

impl TouchDown {
    pub(crate) fn read_turn(&self, position: &Position, text: &str) -> Result<Turn, TextError> {
        let grid = self.board.grid;
        let (from, middle) = grid.read_square(text, 0)?;
        let (to, end) = grid.read_square(text, middle)?;
        if end < text.chars().count() {
            return Err(TextError::unexpected("turn", text, end, "the end"));
        }
        let turn = Turn { from, to };
        if self.turns(position).iter().any(|(legal, _)| *legal == turn) {
            return Ok(turn);
        }
        let (from_name, to_name) = (grid.name(from), grid.name(to));
        let reason = if self.over(*position) {
            "the game is over".to_owned()
        } else if !position.own.contains(from) {
            format!("the side to move has no pawn on {from_name}")
        } else if from.0.checked_sub(self.board.columns as u8) == Some(to.0) {
            format!("{to_name} is occupied; a step needs an empty square")
        } else if self.board.captors(to).contains(from) {
            format!("there is no opponent's pawn on {to_name} to capture")
        } else {
            "a pawn goes one row forward, straight to an empty square or diagonally to capture".to_owned()
        };
        Err(TextError::impossible("turn", text, reason))
    }
}
