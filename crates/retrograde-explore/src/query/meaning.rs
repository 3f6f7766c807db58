//! Explains the numbers on turns to new users.

use crate::game::open::OpenGame;

impl OpenGame {
    /// The meaning of the numbers on turns, in a few sentences.
    pub fn meaning_of_values(&self) -> String {
        let (entry, game) = (&self.entry, &self.entry.game);
        let mut text = "A value says who wins with perfect play, and in how many turns. Turns of both players \
                    count; the winner plays for the quickest win, and the loser for the longest game. The value \
                    of a turn is for the player who plays it, and counts that turn too."
        .to_owned();
        if !game.turn_is_counted(&game.start()) {
            text.push_str(" Placing the pieces does not count as a turn.");
        }
        if !entry.graded {
            text.push_str(" A draw (=) is a position in which neither side can force a win.");
        }
        text.push_str(" Unknown (?) means that the value was not computed here; it is not a draw.");
        if let Some(values) = &self.values {
            if !values.has_turns() {
                text.push_str(" The table of this game has outcomes only, not the turns to the end.");
            }
            if let Some(horizon) = values.horizon() {
                text.push_str(&format!(
                    " This game was solved up to {} turns: draws and longer games are unknown.",
                    horizon.0
                ));
            }
        }
        text
    }
}
