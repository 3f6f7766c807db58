//! The complete rules of a game in the form of a board file, for programs that know no names.

use std::fmt::Write;

use retrograde_game::Squares;

use crate::PushFight;

impl PushFight {
    /// The pieces of both sides, moves, squares to place on, and the drawing of the board; includes
    /// the pieces on it if the game begins with them.
    pub fn rules_text(&self) -> String {
        let [first, second] = self.sides;
        let places = |half: Squares| {
            let labels: Vec<&str> = half.into_iter().map(|square| self.board.label(square)).collect();
            labels.join(",")
        };
        let [left, right] = self.board.halves.map(places);
        let moves = self.moves.map_or_else(|| "unlimited".to_owned(), |moves| moves.to_string());
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = writeln!(text, "rules = pushfight");
        let _ = writeln!(text, "pushers = {}-{}", first.pushers, second.pushers);
        let _ = writeln!(text, "pawns = {}-{}", first.pawns, second.pawns);
        let _ = writeln!(text, "moves = {moves}\nfirst = {left}\nsecond = {right}");
        let drawing = self.board.drawing(&self.write_position(&self.start)).to_string();
        let _ = writeln!(text, "{}", drawing.trim_end());
        text
    }
}
