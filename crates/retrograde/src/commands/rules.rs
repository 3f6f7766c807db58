//! `rules`: shows the rules of a game in a few sentences, with small boards.

use clap::Args;
use retrograde_explore::OpenGame;
use retrograde_game::{Example, Seat};

use crate::output::columns::{side_by_side, width};
use crate::output::{WIDTH, board, print_line, show, wrapped, wrapped_at};
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult};

/// The minimum width of a caption, for boards with few columns.
const CAPTION: usize = 21;

/// Show the rules of a game, with examples
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  retrograde rules {game}\n  retrograde rules tactics:5x4,line=3,normal")]
pub(crate) struct RulesArgs {
    /// A game or variant; `games` lists them
    game: String,
}

pub(crate) fn run(context: &Context, args: &RulesArgs) -> CommandResult {
    let game = context.open(&args.game)?;
    show(context, &game.rules()?, || print_rules(context, &game))
}

/// Prints the rules: sentences, boards side by side, and the meaning of values.
pub(crate) fn print_rules(context: &Context, game: &OpenGame) -> Result<(), BoxError> {
    let guide = &game.entry.guide;
    print_line(wrapped(&format!("{}: {}.", game.entry.title, game.entry.summary.trim_end_matches('.')), 0))?;
    if !guide.sentences.is_empty() {
        print_line("")?;
    }
    for (number, sentence) in guide.sentences.iter().enumerate() {
        print_line(wrapped(&format!("{}. {sentence}", number + 1), 3))?;
    }
    let drawn = guide.examples.iter().map(|example| drawn(context, game, example));
    let columns = drawn.collect::<Result<Vec<_>, _>>()?;
    if !columns.is_empty() {
        print_line("")?;
    }
    for row in side_by_side(&columns) {
        print_line(row)?;
    }
    if columns.is_empty() {
        print_line("")?;
    }
    if let Some(legend) = legend(game).filter(|_| !columns.is_empty()) {
        print_line(wrapped(&legend, 0))?;
        print_line("")?;
    }
    print_line(wrapped(&game.rules()?.values, 0))
}

/// The letters of the pieces, if each player has several kinds: the sentences describe their shapes in pictures.
fn legend(game: &OpenGame) -> Option<String> {
    let palette = &game.entry.palette;
    if palette.len() <= 2 {
        return None;
    }
    let pieces = palette.iter().map(|&piece| {
        let owner = piece.owner.map_or_else(String::new, |seat| format!("{}'s ", seat.name()));
        let anchor = if piece.anchored { " with the anchor" } else { "" };
        format!("{} {owner}{}{anchor}", piece.letter, game.piece_name(piece))
    });
    let pieces: Vec<String> = pieces.collect();
    Some(format!(
        "Letters: {}. Parentheses mark where a piece starts, brackets where it goes.",
        pieces.join(", ")
    ))
}

/// A board with its caption below, wrapped to the width of the board.
fn drawn(context: &Context, game: &OpenGame, example: &Example) -> Result<Vec<String>, BoxError> {
    let board = board(context, game, &example.position, Seat::First, Some(&example.turn))?;
    let mut rows: Vec<String> = board.lines().map(str::to_owned).collect();
    let wide = rows.iter().map(|line| width(line)).max().unwrap_or(0).clamp(CAPTION, WIDTH);
    rows.extend(wrapped_at(wide, &example.caption, 0).lines().map(str::to_owned));
    rows.push(String::new());
    Ok(rows)
}
