//! Explains the numbers on turns to people who see them for the first time.

use crate::game::open::OpenGame;

impl OpenGame {
    /// The meaning of the numbers on turns, in a few sentences.
    pub fn meaning_of_values(&self) -> String {
        let (entry, game) = (&self.entry, &self.entry.game);
        let mut text = "A value says who wins if nobody errs, and in how many turns: those of both players are counted, \
                    while the winner hurries and the loser delays. Beside a turn it is the value for the player who makes \
                    the turn, and that turn is counted too."
        .to_owned();
        if !game.turn_is_counted(&game.start()) {
            text.push_str(" Placing the pieces is not counted.");
        }
        if !entry.graded {
            text.push_str(" A draw (=) is a position in which neither side can force a win.");
        }
        text.push_str(" Unknown (?) means that nobody has worked it out here; it is not a draw.");
        if let Some(values) = &self.values {
            if !values.has_turns() {
                text.push_str(" The table of this game has outcomes only, not the turns to the end.");
            }
            if let Some(horizon) = values.horizon() {
                text.push_str(&format!(
                    " This game was solved up to {} turns: what is drawn or takes longer is unknown.",
                    horizon.0
                ));
            }
        }
        text
    }
}
