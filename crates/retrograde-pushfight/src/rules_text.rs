//! The rules of a game in full, as a board file says them: for programs that know no names.

use std::fmt::Write;

use retrograde_game::Squares;

use crate::PushFight;

impl PushFight {
    /// Pieces of both sides, moves, squares to place on, and the drawing of the board; with the
    /// pieces on it if the game begins with them there.
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
