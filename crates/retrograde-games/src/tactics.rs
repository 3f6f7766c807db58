//! Tactics: the pencil game on a grid.

use retrograde_explore::{Entry, Family, Known};
use retrograde_game::{Game, Impartial, Knowledge, Outcome, number_in_words};
use retrograde_tactics::{Tactics, fill};

use crate::known::known;
use crate::titles::title;

const SUMMARY: &str = "a pencil game: fill one to four neighbouring squares of a row or column; the player who \
                       fills the last square loses";

pub(crate) fn family() -> Family {
    Family::new("tactics", SUMMARY, |spec, _| {
        let game = Tactics::from_spec(spec)?;
        let (name, summary) = (game.name(), summary(&game));
        let known = known(&name).or_else(|| by_mirror_images(&game));
        let entry = Entry::new(game, summary).title(title("Tactics", &name)).with(|game| game.known = known);
        let entry = entry.dense().impartial().images().rules_text(Tactics::rules_text);
        let entry = entry.fill(
            |game, job| fill::solve(&game.fill_game(), job),
            |game, job| fill::outcomes(&game.fill_game(), job),
        );
        Ok(entry.build())
    })
    .alias("tactix")
    .forms(
        "[:WxH][,line=K][,normal]   normal: filling the last square wins; `tactix:WxH` is Piet Hein's TacTix, with \
         lines as long as the board",
    )
    .examples(["tactics", "tactics:5x5", "tactics:6x6", "tactics,normal"])
}

/// The value of the start in normal play, on every board: `docs/results/tactics.md` has the proof.
fn by_mirror_images(game: &Tactics) -> Option<Known> {
    if !game.last_turn_wins() {
        return None;
    }
    let start = game.start();
    if game.is_mirrored(&start) {
        let text = "Blue wins by answering every turn with its mirror image.".to_owned();
        return Some(Known { verdict: Knowledge::Outcome(Outcome::Loss).into(), text });
    }
    let turn = game.mirroring_turn(&start)?;
    let text = format!(
        "Red wins by filling {} and then answering every turn with its mirror image.",
        game.turn_text(&start, &turn)
    );
    Some(Known { verdict: Knowledge::Outcome(Outcome::Win).into(), text })
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
    format!("a pencil game: {fill}; the player who fills the last square {end}")
}
