//! Judges the turns of the players by a table.

use retrograde_explore::{Annotation, Error, OpenGame, SearchLimits};
use schemars::JsonSchema;
use serde::Serialize;

use super::referee::FinishedGame;

/// The turns of one player, judged by a table. Openings do not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Judged {
    /// Turns with known values.
    pub turns: u64,
    /// Best turns.
    pub best: u64,
    /// Wins turned into draws.
    pub win_to_draw: u64,
    /// Wins turned into losses.
    pub win_to_loss: u64,
    /// Draws turned into losses.
    pub draw_to_loss: u64,
    /// Turns that kept the outcome but delayed a win or hastened a loss.
    pub slower: u64,
    /// The total number of turns that these cost.
    pub turns_lost: u64,
}

impl Judged {
    /// Turns that worsened the outcome.
    pub fn thrown_away(&self) -> u64 {
        self.win_to_draw + self.win_to_loss + self.draw_to_loss
    }

    fn count(&mut self, annotation: &Annotation) {
        let Annotation { before, after, mark, .. } = annotation;
        if before.known().is_none() || after.known().is_none() {
            return;
        }
        self.turns += 1;
        match (*mark, before.outcome, after.outcome) {
            ("?", "win", "draw") => self.win_to_draw += 1,
            ("?", "win", _) => self.win_to_loss += 1,
            ("?", ..) => self.draw_to_loss += 1,
            ("?!", ..) => {
                self.slower += 1;
                let lost = before.turns.zip(after.turns).map_or(0, |(could, did)| could.abs_diff(did));
                self.turns_lost += u64::from(lost);
            }
            _ => self.best += 1,
        }
    }
}

/// Marks the turns of a game and adds them to the quality of each player (0 and 1). Returns all marks.
///
/// # Errors
/// If the table is damaged.
pub fn judge(
    game: &OpenGame,
    finished: &FinishedGame,
    judged: &mut [Judged; 2],
) -> Result<Vec<Annotation>, Error> {
    let played = &finished.played;
    let start = played.positions().first().map_or("", String::as_str);
    let seat = played.seat_at(0);
    let annotations = game.annotate(start, seat, played.turns(), &SearchLimits::default())?;
    for (number, annotation) in annotations.iter().enumerate().skip(finished.opening) {
        judged[finished.player_of(played.seat_at(number))].count(annotation);
    }
    Ok(annotations)
}
