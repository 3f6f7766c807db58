//! Tactics: the pencil game on a grid.

use retrograde_explore::{Entry, Family};
use retrograde_game::{Game, number_in_words};
use retrograde_tactics::Tactics;

use crate::known::known;
use crate::titles::title;

const SUMMARY: &str = "a pencil game: fill one to four neighbouring squares of a row or column; who fills the last \
                       square loses";

pub(crate) fn family() -> Family {
    Family::new("tactics", SUMMARY, |spec, _| {
        let game = Tactics::from_spec(spec)?;
        let (name, summary) = (game.name(), summary(&game));
        let entry = Entry::new(game, summary).title(title("Tactics", &name)).known(known(&name));
        let entry = entry.dense().graded().images().rules_text(Tactics::rules_text);
        #[cfg(feature = "solvers")]
        let entry = entry.fill();
        Ok(entry.boxed())
    })
    .forms("[:WxH][,line=K][,normal]   normal: who fills the last square wins")
    .examples(["tactics", "tactics:5x5", "tactics:6x6", "tactics,normal"])
}

/// The game in one sentence, with its longest line and its end.
fn summary(game: &Tactics) -> String {
    let fill = match game.longest_line() {
        1 => "fill one square".to_owned(),
        2 => "fill one square or two neighbours".to_owned(),
        longest => {
            format!("fill one to {} neighbouring squares of a row or column", number_in_words(longest))
        }
    };
    let end = if game.is_normal() { "wins" } else { "loses" };
    format!("a pencil game: {fill}; who fills the last square {end}")
}
