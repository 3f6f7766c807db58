//! The rules in a few sentences, with example turns on boards of this size.

use retrograde_game::{Example, Game, Guide, Square, Squares, counted};

use crate::board::{Position, Turn};
use crate::rules::TouchDown;

impl TouchDown {
    /// The rules on this board.
    pub(crate) fn rules_guide(&self) -> Guide {
        let (columns, rows) = (self.board.columns, self.board.rows);
        let pawns = counted(columns, "pawn");
        let mut sentences = vec![
            format!(
                "The board has {} and {}; Red moves first, with {pawns} on the bottom row; Blue has {pawns} on the top \
                 row.",
                counted(columns, "column"),
                counted(rows, "row")
            ),
            "A turn moves one pawn one row ahead (Red's up, Blue's down): straight, onto an empty square."
                .to_owned(),
        ];
        if columns > 1 {
            let capture = "A pawn may also capture an opponent's pawn by moving diagonally ahead onto its square; \
                 capturing is optional.";
            sentences.push(capture.to_owned());
        }
        sentences.push("A player who reaches the opponent's back row with a pawn wins.".to_owned());
        sentences.push("A player who has no pawns left or cannot move loses; there are no draws.".to_owned());
        Guide { sentences, examples: self.rules_examples() }
    }

    fn square(&self, column: u32, row: u32) -> Square {
        Square(((self.board.rows - row) * self.board.columns + column) as u8)
    }

    /// Examples of a step, a capture and a win, as far as the board has room for them.
    fn rules_examples(&self) -> Vec<Example> {
        let (columns, rows) = (self.board.columns, self.board.rows);
        let (bottom, top) = (self.board.bottom, self.board.top);
        let square = |column: u32, row: u32| self.square(column, row);
        let example = |caption: &str, own: Squares, other: Squares, from: Square, to: Square| {
            let position = Position { own, other };
            let turn = self.turn_text(&position, &Turn { from, to });
            Example::new(caption, self.position_text(&position), turn)
        };
        let mut examples = Vec::new();
        if rows > 2 {
            let from = square(columns / 3, 1);
            let to = square(columns / 3, 2);
            examples.push(example("A pawn steps straight ahead.", bottom, top, from, to));
        }
        if columns > 1 {
            // The capturing pawn is diagonally below the captured one.
            let low = if rows > 3 { 2 } else { 1 };
            let (from, to) = (square(0, low), square(1, low + 1));
            let own = bottom.without(square(0, 1)).with(from);
            let other = top.without(square(1, rows)).with(to);
            examples.push(example("A pawn captures diagonally ahead.", own, other, from, to));
            let (from, to) = (square(0, rows - 1), square(0, rows));
            let own = bottom.without(square(0, 1)).with(from);
            examples.push(example("Red reaches Blue's back row and wins.", own, top.without(to), from, to));
        }
        examples
    }
}
