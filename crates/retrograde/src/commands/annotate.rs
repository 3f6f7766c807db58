//! `annotate`: the turns of a played game, with marks.

use std::io::Read;
use std::path::Path;

use retrograde_explore::{Annotation, read_turns};
use retrograde_game::Seat;

use super::{Answer, print_json, say, with_game};
use crate::cli::Search;
use crate::output::{file_trouble, limits, verdict};
use crate::{Context, Ended, Failure};

/// A longer file is no played game.
const MOST_BYTES: u64 = 1 << 20;

/// The turns of a game: one a line, `#` begins a comment.
fn written_turns(file: &Path) -> Result<Vec<String>, Failure> {
    let mut text = String::new();
    let failed =
        |error: std::io::Error| format!("cannot read “{}”: {}", file.display(), file_trouble(file, &error));
    if file == Path::new("-") {
        std::io::stdin().lock().take(MOST_BYTES).read_to_string(&mut text).map_err(failed)?;
    } else {
        let opened = std::fs::File::open(file).map_err(failed)?;
        opened.take(MOST_BYTES).read_to_string(&mut text).map_err(failed)?;
    }
    let turns = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    Ok(turns.filter(|turn| !turn.is_empty()).map(str::to_owned).collect())
}

pub(super) fn annotate(context: &Context, name: &str, file: &Path, search: &Search) -> Answer {
    let turns = written_turns(file)?;
    with_game(context, name, |game| {
        let turns = read_turns(game, &game.start(), Seat::First, &turns)?;
        let marked = game.annotate(&game.start(), Seat::First, &turns, &limits(search))?;
        if context.json {
            for annotation in &marked {
                print_json(annotation)?;
            }
            return Ok(Ended::Well);
        }
        for (number, annotation) in marked.iter().enumerate() {
            let Annotation { turn, mark, player, before, after, better, .. } = annotation;
            let change = format!("{} → {}", verdict(*before), verdict(*after));
            let hint = better.as_ref().map_or_else(String::new, |turn| format!("  better: {turn}"));
            say(format!("{:>4}. {player:<6} {:<24} {change}{hint}", number + 1, format!("{turn}{mark}")))?;
        }
        Ok(Ended::Well)
    })
}
