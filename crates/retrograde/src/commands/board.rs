//! `board` and `mate`: boards of any size, and whether the side to move can eject a piece at once.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use retrograde_draw::{BoardStyle, Size, Theme, Words, board, gif, png};
use retrograde_game::{Mark, Picture};
use retrograde_mate::{Method, State, Turn};
use retrograde_pushfight::{BoardFile, Drawing};
use serde_json::json;

use super::stats::write_file;
use super::{Answer, print_json, say};
use crate::cli::general::{BoardCommand, MateArgs, MethodWord, Moves, PictureArgs};
use crate::output::{plural, thousands};
use crate::{Context, Ended, Failure};

/// Squares of a board on which turns are made and positions are numbered.
const TURNS: usize = 64;
/// Columns of a board that a terminal shows.
const SHOWN: u16 = 18;
/// Arrows of moves and a push; more would hide the board.
const ARROWS: usize = 12;
/// Pictures of an animation.
const FRAMES: usize = 200;
/// Characters of a board file: a thousand rows and columns take some four million.
const LONGEST: u64 = 16_000_000;

/// The text of a file, or of standard input: `what` it is, and up to so many bytes.
pub(super) fn read(what: &str, path: &str, longest: u64) -> Result<String, Failure> {
    let mut text = String::new();
    let read = match path {
        "-" => io::stdin().take(longest + 1).read_to_string(&mut text),
        path => fs::File::open(path).and_then(|file| file.take(longest + 1).read_to_string(&mut text)),
    };
    read.map_err(|error| format!("cannot read the {what} “{path}”: {error}"))?;
    if text.len() as u64 > longest {
        return Err(format!("“{path}” is no {what}: it is longer than any can be").into());
    }
    Ok(text)
}

/// The text of a board: a drawing in one line, standard input, or a file.
fn text(board: &str) -> Result<String, Failure> {
    if board.trim_start().starts_with('+') {
        return Ok(board.replace('/', "\n"));
    }
    let text = read("board", board, LONGEST)?;
    // A drawing in one line may come from a pipe as well.
    let one_line = text.trim_start().starts_with('+') && text.trim_end().lines().count() == 1;
    Ok(if one_line { text.trim_end().replace('/', "\n") } else { text })
}

pub(super) fn run(context: &Context, command: BoardCommand) -> Answer {
    match command {
        BoardCommand::Check { board } => check(context, &board),
        BoardCommand::Show { board, picture } => show(context, &board, &picture),
    }
}

fn check(context: &Context, board: &str) -> Answer {
    let file = BoardFile::parse(&text(board)?)?;
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
            "turns": squares <= TURNS,
        }))?;
        return Ok(Ended::Well);
    }
    let grid = format!("{} × {}", drawing.rows(), drawing.columns());
    say(format!("The board is sound: {} squares in a grid of {grid}.", thousands(squares as u128)))?;
    for (name, [pushers, pawns]) in [("O", first), ("X", second)] {
        if pushers + pawns > 0 {
            let (pushers, pawns) = (plural(pushers, "pusher"), plural(pawns, "pawn"));
            say(format!("{name} has {pushers} and {pawns}."))?;
        }
    }
    if let Some(label) = anchor {
        say(format!("The anchor is on {label}."))?;
    }
    if squares <= TURNS {
        say("Turns can be made on it: `retrograde plan pushfight:FILE` says what solving it would take.")?;
    } else {
        say(format!(
            "Turns are made on boards of up to {TURNS} squares; this one is for `retrograde mate`."
        ))?;
    }
    Ok(Ended::Well)
}

fn show(context: &Context, board: &str, picture: &PictureArgs) -> Answer {
    let file = BoardFile::parse(&text(board)?)?;
    let image = file.drawing.picture();
    if let Some(out) = &picture.out {
        draw(&image, picture, out)?;
        let drawn = json!({"files": [out.display().to_string()]});
        return said(context, || drawn, format!("Drawn to “{}”.", out.display()));
    }
    let drawn = json!({"board": file.drawing.to_string()});
    said(context, || drawn, terminal(context, &file.drawing, &image, &[]))
}

/// Says something as JSON or as text.
pub(super) fn said(context: &Context, value: impl FnOnce() -> serde_json::Value, text: String) -> Answer {
    if context.json {
        print_json(&value())?;
    } else {
        say(text.trim_end())?;
    }
    Ok(Ended::Well)
}

/// A board in the terminal; one that is too wide for it as it is drawn in files.
fn terminal(context: &Context, drawing: &Drawing, picture: &Picture, marks: &[Mark]) -> String {
    if drawing.columns() > SHOWN {
        return drawing.to_string();
    }
    retrograde_draw::text::board(picture, marks, context.color)
}

/// Writes a picture of a board.
fn draw(picture: &Picture, how: &PictureArgs, out: &Path) -> Result<(), Failure> {
    let svg = board::svg(picture, &style(how), &[], &Words::default());
    write_picture(&svg, how, out)
}

fn style(how: &PictureArgs) -> BoardStyle {
    let theme = if how.dark { Theme::Dark } else { Theme::Light };
    BoardStyle { theme, ..BoardStyle::default() }
}

fn write_picture(svg: &str, how: &PictureArgs, out: &Path) -> Result<(), Failure> {
    let bytes = match ending(out) {
        "svg" => svg.as_bytes().to_vec(),
        "png" => png(svg, Size::Width(how.width))?,
        _ => return Err(format!("“{}” ends neither in .svg nor .png", out.display()).into()),
    };
    write_file(out, &bytes)
}

fn ending(out: &Path) -> &str {
    out.extension().and_then(|ending| ending.to_str()).unwrap_or_default()
}

/// Draws a turn: all of it in one picture, or as an animation move by move.
fn draw_turn(state: &State, turn: &Turn, how: &PictureArgs, out: &Path) -> Result<(), Failure> {
    let marks = marks(state, turn);
    // With blanks the caption can be broken between moves.
    let text = state.turn_text(turn).replace(',', ", ");
    if ending(out) != "gif" {
        let few = marks.len() <= ARROWS;
        let words = Words { caption: few.then_some(text), ..Words::default() };
        let shown = if few { &marks[..] } else { &[] };
        return write_picture(&board::svg(&state.drawing().picture(), &style(how), shown, &words), how, out);
    }
    if marks.len() > FRAMES {
        let reason = format!("a turn of {} is too long for an animation", plural(turn.moves.len(), "move"));
        return Err(reason.into());
    }
    let mut drawing = state.drawing().clone();
    let mut frames = Vec::new();
    for (mark, step) in marks.iter().zip(text.split(", ")) {
        let words = Words { caption: Some(step.to_owned()), ..Words::default() };
        let svg = board::svg(&drawing.picture(), &style(how), std::slice::from_ref(mark), &words);
        let last = matches!(mark, Mark::Push(..));
        frames.push((svg, Duration::from_millis(if last { 3000 } else { 900 })));
        if let Mark::Move(from, to) = *mark {
            drawing.swap(from, to);
        }
    }
    let frames: Vec<(&String, Duration)> = frames.iter().map(|(svg, time)| (svg, *time)).collect();
    write_file(out, &gif(&frames, how.width)?)
}

pub(super) fn mate(context: &Context, asked: &MateArgs) -> Answer {
    let state = State::parse(&text(&asked.board)?)?;
    let how = match asked.by {
        None => Method::Either,
        Some(MethodWord::Search) => Method::Search,
        Some(MethodWord::Sat) => Method::Sat,
    };
    let turn = match asked.moves {
        Some(Moves::Unlimited) => retrograde_mate::unlimited(&state),
        Some(Moves::UpTo(moves)) => retrograde_mate::within(&state, moves, how, asked.memory)?,
        None => retrograde_mate::least(&state, how, asked.memory)?,
    };
    let Some(turn) = turn else {
        let limit = match asked.moves {
            Some(Moves::UpTo(0)) => "without a move".to_owned(),
            Some(Moves::UpTo(moves)) => format!("with {} or fewer", plural(moves as usize, "move")),
            _ => "with any number of moves".to_owned(),
        };
        return said(context, || json!({"mate": false}), format!("No mate in one {limit}."));
    };
    // Whatever found it, it is played by the rules before it is believed.
    state.check(&turn)?;
    let written = state.turn_text(&turn);
    let moves = turn.moves.len();
    if let Some(out) = &asked.picture.out {
        draw_turn(&state, &turn, &asked.picture, out)?;
    }
    if context.json {
        print_json(&json!({"mate": true, "moves": moves, "turn": written}))?;
        return Ok(Ended::Well);
    }
    let least = if asked.moves == Some(Moves::Unlimited) { "" } else { ", the least number" };
    say(format!("Mate in one with {}{least}:\n{written}", plural(moves, "move")))?;
    if state.drawing().columns() <= SHOWN {
        let marks = marks(&state, &turn);
        let shown = if marks.len() <= ARROWS { &marks[..] } else { &[] };
        say(terminal(context, state.drawing(), &state.drawing().picture(), shown).trim_end())?;
    }
    if let Some(out) = &asked.picture.out {
        say(format!("Drawn to “{}”.", out.display()))?;
    }
    Ok(Ended::Well)
}

/// What to draw over a board to show a turn.
fn marks(state: &State, turn: &Turn) -> Vec<Mark> {
    let mut marks: Vec<Mark> =
        turn.moves.iter().map(|&(from, to)| Mark::Move(state.place(from), state.place(to))).collect();
    let (from, direction) = turn.push;
    if let Some(to) = state.neighbour(from, direction) {
        marks.push(Mark::Push(state.place(from), state.place(to)));
    }
    marks
}
