//! `board`: checks a board of any size, shows it, or draws it.

use clap::Subcommand;
use retrograde_pushfight::BoardFile;
use serde_json::json;

use crate::board_files::{PictureArgs, draw_board, read_board, terminal};
use crate::context::{CommandResult, Context, Exit};
use crate::output::{plural, print_either, print_json, print_line, thousands};

/// The most squares of a board on which turns can be made and positions numbered.
const MAX_SQUARES: usize = 64;

/// The actions of `board`.
#[derive(Subcommand, Debug)]
pub(crate) enum BoardCommand {
    /// Read a board and describe it, or say where it is wrong
    #[command(after_help = "Examples:\n  retrograde board check my.board\n  retrograde board check - --json")]
    Check {
        /// A .board file, `-` for standard input, or a drawing, its lines joined by /
        #[arg(allow_hyphen_values = true)]
        board: String,
    },
    /// Show a board with coordinates, or draw it (.svg, .png)
    #[command(after_help = "Examples:\n  retrograde board show my.board\n  \
                            retrograde board show my.board --out my.svg")]
    Show {
        /// A .board file, `-` for standard input, or a drawing, its lines joined by /
        #[arg(allow_hyphen_values = true)]
        board: String,
        #[command(flatten)]
        picture: PictureArgs,
    },
}

pub(crate) fn run(context: &Context, command: &BoardCommand) -> CommandResult {
    match command {
        BoardCommand::Check { board } => check(context, board),
        BoardCommand::Show { board, picture } => show(context, board, picture),
    }
}

fn check(context: &Context, board: &str) -> CommandResult {
    let file = BoardFile::parse(&read_board(board)?)?;
    let drawing = &file.drawing;
    let count = |letters: &str| drawing.squares().filter(|&(_, on)| letters.contains(on)).count();
    let squares = drawing.squares().count();
    let anchor =
        drawing.squares().find(|(_, on)| matches!(on, 'P' | 'Y')).map(|(place, _)| drawing.label(place));
    let (first, second) = ([count("OP"), count("o")], [count("XY"), count("x")]);
    if context.json {
        let side = |[pushers, pawns]: [usize; 2]| json!({"pushers": pushers, "pawns": pawns});
        print_json(&json!({
            "rows": drawing.rows(), "columns": drawing.columns(), "squares": squares, "name": file.name,
            "o": side(first), "x": side(second), "anchor": anchor, "moves": file.moves,
            "turns": squares <= MAX_SQUARES,
        }))?;
        return Ok(Exit::Success);
    }
    let grid = format!("{} × {}", drawing.rows(), drawing.columns());
    print_line(format!("The board is sound: {} squares in a grid of {grid}.", thousands(squares as u128)))?;
    for (name, [pushers, pawns]) in [("O", first), ("X", second)] {
        if pushers + pawns > 0 {
            let (pushers, pawns) = (plural(pushers, "pusher"), plural(pawns, "pawn"));
            print_line(format!("{name} has {pushers} and {pawns}."))?;
        }
    }
    if let Some(label) = anchor {
        print_line(format!("The anchor is on {label}."))?;
    }
    if squares <= MAX_SQUARES {
        print_line("Turns can be made on it: `retrograde plan pushfight:FILE` shows what solving it needs.")?;
    } else {
        print_line(format!(
            "Turns are made on boards of up to {MAX_SQUARES} squares; this one is for `retrograde mate`."
        ))?;
    }
    Ok(Exit::Success)
}

fn show(context: &Context, board: &str, picture: &PictureArgs) -> CommandResult {
    let file = BoardFile::parse(&read_board(board)?)?;
    let image = file.drawing.picture();
    if let Some(out) = &picture.out {
        draw_board(&image, picture, out)?;
        let drawn = json!({"files": [out.display().to_string()]});
        return print_either(context, || drawn, &format!("Drawn to “{}”.", out.display()));
    }
    let drawn = json!({"board": file.drawing.to_string()});
    print_either(context, || drawn, &terminal(context, &file.drawing, &image, &[]))
}
