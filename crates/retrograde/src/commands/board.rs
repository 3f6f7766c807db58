//! `board`: checks a board of any size, shows it, or draws it.

use std::sync::Arc;

use clap::{Args, Subcommand};
use retrograde_explore::{AnyGame, Error, Loader};
use retrograde_game::board_file_stem;
use retrograde_generalised::mate::State;
use retrograde_pushfight::BoardFile;
use schemars::JsonSchema;
use serde::Serialize;

use crate::files::PictureArgs;
use crate::files::boards::{draw_board, parse_board, terminal};
use crate::output::{plural, print_line, reserve_output, show, thousands, wrapped};
use crate::program::context::Context;
use crate::program::exit::CommandResult;

/// The extension of board files.
const ENDING: &str = ".board";

/// Check or show a Push Fight board of any size
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  retrograde board check my.board\n  retrograde board show my.board --out my.svg"
)]
pub(crate) struct BoardArgs {
    /// The action
    #[command(subcommand)]
    command: BoardCommand,
}

/// The actions of `board`.
#[derive(Subcommand, Debug)]
pub(crate) enum BoardCommand {
    /// Describe a board, or show where it is wrong
    #[command(after_help = "Lines `key = value` can precede the drawing. Keys are name, moves, pushers,\n\
                      pawns, and first and second: the squares on which each side places its pieces,\n\
                      as in `first = a1, a2, b1` (by default the left half and the right half).\n\n\
                      Examples:\n  retrograde board check my.board\n  retrograde board check - --json")]
    Check {
        /// A .board file, `-` for standard input, or a drawing with / between its lines
        board: String,
    },
    /// Show a board with coordinates, or draw it (.svg, .png)
    #[command(after_help = "Examples:\n  retrograde board show my.board\n  \
                            retrograde board show my.board --out my.svg")]
    Show {
        /// A .board file, `-` for standard input, or a drawing with / between its lines
        board: String,
        #[command(flatten)]
        picture: PictureArgs,
    },
}

pub(crate) fn run(context: &Context, args: &BoardArgs) -> CommandResult {
    match &args.command {
        BoardCommand::Check { board } => check(context, board),
        BoardCommand::Show { board, picture } => draw(context, board, picture),
    }
}

/// The pieces of one side.
#[derive(Serialize, JsonSchema)]
struct SidePieces {
    pushers: usize,
    pawns: usize,
}

/// A valid board (`board check`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct BoardCheck<'a> {
    /// Rows of the grid.
    #[schemars(range(min = 1))]
    rows: u16,
    /// Columns of the grid.
    #[schemars(range(min = 1))]
    columns: u16,
    /// The number of squares.
    #[schemars(range(min = 1))]
    squares: usize,
    /// The name in the file.
    name: Option<&'a str>,
    /// The pieces `O` and `o`.
    o: SidePieces,
    /// The pieces `X` and `x`.
    x: SidePieces,
    /// The square of the anchored pusher.
    anchor: Option<String>,
    /// Moves in a turn, as in the file: a number or `unlimited`.
    moves: Option<String>,
    /// Whether games on it can be played and planned.
    turns: bool,
    /// The reason why no game can be played on it.
    refused: Option<&'a str>,
}

/// A board that was shown (`board show`): its drawing, or the file that was written.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum BoardShown {
    /// The drawing.
    Board(String),
    /// The file.
    Files([String; 1]),
}

fn check(context: &Context, board: &str) -> CommandResult {
    let (file, text) = parse_board(board, BoardFile::parse)?;
    let drawing = &file.drawing;
    let count = |letters: &str| drawing.squares().filter(|&(_, on)| letters.contains(on)).count();
    let squares = drawing.squares().count();
    let anchor =
        drawing.squares().find(|(_, on)| matches!(on, 'P' | 'Y')).map(|(place, _)| drawing.label(place));
    let (first, second) = ([count("OP"), count("o")], [count("XY"), count("x")]);
    let game = game_on(context, board, &text);
    let side = |[pushers, pawns]: [usize; 2]| SidePieces { pushers, pawns };
    let answer = BoardCheck {
        rows: drawing.rows(),
        columns: drawing.columns(),
        squares,
        name: file.name.as_deref(),
        o: side(first),
        x: side(second),
        anchor,
        moves: file.moves.as_ref().map(ToString::to_string),
        turns: game.is_ok(),
        refused: game.as_ref().err().map(String::as_str),
    };
    show(context, &answer, || {
        let (rows, columns) = (plural(drawing.rows(), "row"), plural(drawing.columns(), "column"));
        let squares = thousands(squares as u128);
        print_line(format!("This board is valid: {squares} squares in {rows} and {columns}."))?;
        for (name, [pushers, pawns]) in [("Red (O, o)", first), ("Blue (X, x)", second)] {
            if pushers + pawns > 0 {
                let (pushers, pawns) = (plural(pushers, "pusher"), plural(pawns, "pawn"));
                print_line(format!("{name} has {pushers} and {pawns}."))?;
            }
        }
        if let Some(label) = &answer.anchor {
            print_line(format!("The anchor is on {label}."))?;
        }
        match &game {
            Ok(game) => {
                let name = game.command_name();
                let advice = if board_file_stem(board).is_some() {
                    format!("`retrograde plan {name}` shows what solving it needs.")
                } else {
                    format!(
                        "save it to a file, and `retrograde plan pushfight:FILE{ENDING}` shows what solving it needs."
                    )
                };
                print_line(wrapped(&format!("It can be played: {advice}"), 0))?;
            }
            Err(reason) => print_line(wrapped(&format!("It cannot be played: {reason}."), 0))?,
        }
        print_line(match State::parse(&file.drawing.to_string()) {
            Ok(_) => "`retrograde mate` shows whether there is a mate in one.".to_owned(),
            Err(error) => wrapped(&format!("`retrograde mate` does not apply: {}.", error.reason()), 0),
        })
    })
}

/// The game on a board, or the reason that `plan` would give why it cannot be played.
fn game_on(context: &Context, board: &str, text: &str) -> Result<Arc<AnyGame>, String> {
    let game = if board_file_stem(board).is_some() {
        context.subject(&format!("pushfight:{board}"))
    } else {
        // A drawing or standard input is treated like a file.
        let bytes = text.as_bytes().to_vec();
        let loader = Loader::new(move |_| Ok(bytes.clone()));
        context.registry.find(&format!("pushfight:FILE{ENDING}"), &loader).map_err(|error| match error {
            // The user has not seen the name of the file.
            Error::Text(error) => error.reason().into(),
            error => error.into(),
        })
    };
    game.map_err(|error| error.to_string())
}

fn draw(context: &Context, board: &str, picture: &PictureArgs) -> CommandResult {
    reserve_output(picture.out.as_deref())?;
    let (file, _) = parse_board(board, BoardFile::parse)?;
    let image = file.drawing.picture();
    if let Some(out) = &picture.out {
        draw_board(&image, picture, out)?;
        let drawn = BoardShown::Files([out.display().to_string()]);
        return show(context, &drawn, || print_line(format!("The picture is in “{}”.", out.display())));
    }
    let drawn = BoardShown::Board(file.drawing.to_string());
    show(context, &drawn, || print_line(terminal(context, &file.drawing, &image, &[]).trim_end()))
}
