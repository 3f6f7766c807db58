//! `annotate`: shows the turns of a recorded game with marks and comments.

use clap::Args;
use retrograde_explore::{Annotation, OpenGame, read_turns};
use retrograde_game::Seat;

use crate::files::read_text;
use crate::files::records::Record;
use crate::output::{painted_verdict, print_json, print_line, wrapped};
use crate::program::args::SearchArgs;
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult, Exit};

/// The maximum size of a record in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// The indent of a comment, which follows on the line below its turn.
const INDENT: usize = 12;

/// Mark the good and bad turns of a recorded game
#[derive(Args, Debug)]
#[command(after_help = "FILE is a record, as `play` and the explorer save them: one turn per line, and\n\
                  comments after # (docs/records.md).\n\nExamples:\n  \
                        retrograde annotate {game} game.txt\n  retrograde annotate {game} - < game.txt")]
pub(crate) struct AnnotateArgs {
    /// A game or variant; `games` lists them
    game: String,
    /// The record, or `-` for standard input
    file: String,
    #[command(flatten)]
    search: SearchArgs,
}

pub(crate) fn run(context: &Context, args: &AnnotateArgs) -> CommandResult {
    let text = read_text("record", &args.file, MAX_BYTES)?;
    let named = |error: BoxError| -> BoxError { format!("“{}”: {error}", args.file).into() };
    let record = Record::parse(&text).map_err(named)?;
    let game = &*context.open(&args.game)?;
    record.reject_other_game(context, game).map_err(named)?;
    let marked = marked(game, record, args)?;
    if context.json {
        for annotation in &marked {
            print_json(annotation)?;
        }
    } else if marked.is_empty() {
        print_line("The record has no turns.")?;
    } else {
        print_marked(context, &marked)?;
    }
    Ok(Exit::Success)
}

fn marked(game: &OpenGame, record: Record, args: &AnnotateArgs) -> Result<Vec<Annotation>, BoxError> {
    let Record { coordinates, position, to_move, turns, .. } = record;
    let position = position.unwrap_or_else(|| game.start());
    let turns = read_turns(game, &position, to_move, &turns, Some(coordinates))?;
    Ok(game.annotate(&position, to_move, &turns, &args.search.limits())?)
}

/// Prints annotated turns, one per line.
pub(crate) fn print_marked(context: &Context, marked: &[Annotation]) -> Result<(), BoxError> {
    let written = |annotation: &Annotation| format!("{}{}", annotation.turn_on_board, annotation.mark);
    let wide = marked.iter().map(|annotation| written(annotation).chars().count()).max().unwrap_or(0);
    for (number, annotation) in marked.iter().enumerate() {
        let [before, after] =
            [annotation.before, annotation.after].map(|value| painted_verdict(context, value, 0));
        print_line(format!(
            "{:>4}. {:<4}  {:<wide$}  {before} → {after}",
            number + 1,
            Seat::from(annotation.player).name(),
            written(annotation)
        ))?;
        if !annotation.comment.is_empty() {
            let indented = format!("{}{}", " ".repeat(INDENT), annotation.comment);
            print_line(wrapped(&indented, INDENT))?;
        }
    }
    Ok(())
}
