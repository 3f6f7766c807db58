//! Reads boards of generalised Push Fight from files, standard input and the command line, shows
//! them in the terminal, and draws them.

use std::path::Path;

use retrograde_draw::{Size, Words, board};
use retrograde_game::{Mark, Picture, TextError};
use retrograde_pushfight::Drawing;

use crate::files::{PictureArgs, pixels, read_text, write_svg};
use crate::output::failure::Failure;
use crate::program::context::Context;
use crate::program::exit::BoxError;

/// The largest number of columns that fits the terminal.
pub(crate) const MAX_COLUMNS: u16 = 18;
/// The maximum size of a board file in bytes. A thousand rows and columns take about four million.
const MAX_BYTES: u64 = 16_000_000;

/// Reads the text of a board: a drawing in one line, `-` for standard input, or a file.
fn read_board(board: &str) -> Result<String, BoxError> {
    if board.trim_start().starts_with('+') {
        return Ok(board.replace('/', "\n"));
    }
    let text = read_text("board", board, MAX_BYTES)?;
    // A pipe may also supply a drawing in one line.
    let one_line = text.trim_start().starts_with('+') && text.trim_end().lines().count() == 1;
    Ok(if one_line { text.trim_end().replace('/', "\n") } else { text })
}

/// Reads and parses a board. Errors name the file.
pub(crate) fn parse_board<T>(
    board: &str,
    parse: impl Fn(&str) -> Result<T, TextError>,
) -> Result<(T, String), BoxError> {
    let text = read_board(board)?;
    let name = match board {
        "-" => "standard input".to_owned(),
        drawing if drawing.trim_start().starts_with('+') => "the drawing".to_owned(),
        path => format!("“{path}”"),
    };
    match parse(&text) {
        Ok(parsed) => Ok((parsed, text)),
        Err(error) => {
            let reason = format!("{name} is not a valid board: {}", error.reason());
            Err(Failure::new("board", reason).into())
        }
    }
}

/// The board as text. One that is too wide for the terminal is drawn as in board files.
pub(crate) fn terminal(context: &Context, drawing: &Drawing, picture: &Picture, marks: &[Mark]) -> String {
    if drawing.columns() > MAX_COLUMNS {
        return drawing.to_string();
    }
    retrograde_draw::text::board(picture, marks, context.color)
}

/// Writes a picture of a board.
pub(crate) fn draw_board(picture: &Picture, args: &PictureArgs, out: &Path) -> Result<(), BoxError> {
    let svg = board::svg(picture, &args.style(), &[], &Words::default());
    write_picture(svg, args, out)
}

pub(crate) fn write_picture(svg: String, args: &PictureArgs, out: &Path) -> Result<(), BoxError> {
    write_svg(svg, Size::Width(pixels(args.width, out)?), out)
}
