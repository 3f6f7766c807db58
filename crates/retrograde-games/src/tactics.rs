//! Tactics: the pencil game on a grid.

use retrograde_explore::{Entry, Family};
use retrograde_game::Game;
use retrograde_tactics::Tactics;

use crate::known::known;
use crate::titles::title;

const SUMMARY: &str = "a pencil game: fill one to four neighbouring squares of a row or column; who fills the last \
                       square loses";

pub(crate) fn family() -> Family {
    Family::new("tactics", SUMMARY, |spec, _| {
        let game = Tactics::from_spec(spec)?;
        let name = game.name();
        let entry = Entry::new(game, SUMMARY).title(title("Tactics", &name)).known(known(&name));
        let entry = entry.dense().graded().rules_text(Tactics::rules_text);
        #[cfg(feature = "solvers")]
        let entry = entry.fill();
        Ok(entry.boxed())
    })
    .forms("[:WxH][,line=K][,normal]   normal: who fills the last square wins")
    .examples(["tactics", "tactics:5x5", "tactics:6x6", "tactics,normal"])
}
