//! `annotate`: the turns of a played game, with marks.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use retrograde_explore::Annotation;
use retrograde_explore::request::{AnnotateRequest, Request};
use retrograde_game::Seat;

use crate::args::SearchArgs;
use crate::context::{BoxError, CommandResult, Context, Exit};
use crate::files::reason;
use crate::output::{print_json, print_line, verdict};

/// Bytes of the longest file; a longer one is no played game.
const MAX_BYTES: u64 = 1 << 20;

/// The options of `annotate`.
#[derive(Args, Debug)]
pub(crate) struct AnnotateArgs {
    /// A game, such as touchdown:5x4
    game: String,
    /// The file, or `-` for standard input
    file: PathBuf,
    #[command(flatten)]
    search: SearchArgs,
}

/// The turns of a game: one a line, `#` begins a comment.
fn written_turns(file: &Path) -> Result<Vec<String>, BoxError> {
    let mut text = String::new();
    let failed =
        |error: std::io::Error| format!("cannot read “{}”: {}", file.display(), reason(file, &error));
    if file == Path::new("-") {
        std::io::stdin().lock().take(MAX_BYTES).read_to_string(&mut text).map_err(failed)?;
    } else {
        let opened = std::fs::File::open(file).map_err(failed)?;
        opened.take(MAX_BYTES).read_to_string(&mut text).map_err(failed)?;
    }
    let turns = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    Ok(turns.filter(|turn| !turn.is_empty()).map(str::to_owned).collect())
}

pub(crate) fn run(context: &Context, args: &AnnotateArgs) -> CommandResult {
    let turns = written_turns(&args.file)?;
    context.with_game(&args.game, |game| {
        let request = AnnotateRequest { position: None, to_move: Seat::First, turns, coordinates: None };
        let marked = request.answer(game, &args.search.limits())?.turns;
        if context.json {
            for annotation in &marked {
                print_json(annotation)?;
            }
            return Ok(Exit::Success);
        }
        for (number, annotation) in marked.iter().enumerate() {
            let Annotation { turn, mark, player, before, after, better, .. } = annotation;
            let change = format!("{} → {}", verdict(*before), verdict(*after));
            let hint = better.as_ref().map_or_else(String::new, |turn| format!("  better: {turn}"));
            print_line(format!(
                "{:>4}. {player:<6} {:<24} {change}{hint}",
                number + 1,
                format!("{turn}{mark}")
            ))?;
        }
        Ok(Exit::Success)
    })
}
