//! `mate`: shows whether the side to move can eject a piece this turn, on boards of any size.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use retrograde_draw::{BoardStyle, Pace, Shot, Words, board, film, gif};
use retrograde_explore::allowed_memory;
use retrograde_game::{Edge, GridSquare, Mark, Motion, Picture};
use retrograde_generalised::mate::{Method, State, Turn};
use schemars::JsonSchema;
use serde::Serialize;

use crate::files::boards::{MAX_COLUMNS, parse_board, terminal, write_picture};
use crate::files::{PictureArgs, ending, pixels, write_file};
use crate::output::progress::spinner;
use crate::output::{plural, print_line, reserve_output, show};
use crate::program::args::word;
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult};

/// The maximum number of arrows; more would hide the board.
const MAX_ARROWS: usize = 12;
/// The maximum number of frames of an animation.
const MAX_FRAMES: usize = 200;

/// The pause before each step of an animation.
const STEP_PAUSE: Duration = Duration::from_millis(900);

/// The default memory limit of a search in bytes.
const MEMORY: u64 = 2_000_000_000;

/// Find mate in one on a Push Fight board
#[derive(Args, Debug)]
#[command(after_help = "BOARD is a Push Fight board of any size. Text that begins with + is a drawing,\n\
                  with / between its lines. A push must not eject one of the mover's own pieces.\n\nExamples:\n  \
                        retrograde mate my.board\n  retrograde mate my.board --moves 2 --json\n  \
                        retrograde mate '+-+-+-+-+/ . o O x /+-+-+-+-+' --moves unlimited")]
#[command(mut_arg("out", |out| out.help("Write a picture (.svg or .png), or the turn as an animation (.gif)")))]
#[command(mut_arg("width", |width| width.help("Width of .png and .gif in pixels [default: 640]")))]
pub(crate) struct MateArgs {
    /// A .board file, `-` for standard input, or a drawing with / between its lines
    board: String,
    /// Moves allowed before the push, a number or `unlimited` [default: as few as possible]
    #[arg(long, value_name = "N", value_parser = parse_moves, allow_negative_numbers = true)]
    moves: Option<Moves>,
    /// Method to find the smallest number of moves [default: depends on the board]
    #[arg(long, value_parser = word([("search", Method::Search), ("sat", Method::Sat)]))]
    method: Option<Method>,
    #[command(flatten)]
    picture: PictureArgs,
}

/// The limit on moves before the push.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moves {
    /// At most this number.
    UpTo(u32),
    /// Any number.
    Unlimited,
}

fn parse_moves(text: &str) -> Result<Moves, String> {
    match text {
        "unlimited" => Ok(Moves::Unlimited),
        _ => match text.parse() {
            Ok(moves) if !text.starts_with('+') => Ok(Moves::UpTo(moves)),
            _ => Err("expected a number from 0 to 4294967295 or `unlimited`, as in --moves 2".to_owned()),
        },
    }
}

/// Whether the side to move can eject a piece this turn (`mate`).
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Mate<'a> {
    /// It cannot.
    No {
        #[schemars(extend("const" = false))]
        mate: bool,
    },
    /// It can.
    Yes {
        #[schemars(extend("const" = true))]
        mate: bool,
        /// Moves before the push; the fewest possible, except with `--moves unlimited`.
        moves: usize,
        /// The moves and the push, separated by commas.
        turn: &'a str,
    },
}

pub(crate) fn run(context: &Context, args: &MateArgs) -> CommandResult {
    reserve_output(args.picture.out.as_deref())?;
    refuse_useless(args, context.memory)?;
    if let Some(out) = &args.picture.out
        && !["svg", "png", "gif"].contains(&&*ending(out))
    {
        return Err(format!("“{}” must end in .svg, .png or .gif", out.display()).into());
    }
    let state = parse_board(&args.board, State::parse)?.0;
    let how = args.method.unwrap_or_default();
    let memory = context.memory.unwrap_or_else(|| allowed_memory(None).min(MEMORY));
    let searching = spinner("Looking for a mate in one");
    let turn = match args.moves {
        Some(Moves::Unlimited) => Ok(retrograde_generalised::mate::unlimited(&state)),
        Some(Moves::UpTo(moves)) => retrograde_generalised::mate::within(&state, moves, how, memory),
        None => retrograde_generalised::mate::least(&state, how, memory),
    };
    searching.finish_and_clear();
    let turn = turn?;
    let Some(turn) = turn else {
        let limit = match args.moves {
            Some(Moves::UpTo(0)) => "without a move".to_owned(),
            Some(Moves::UpTo(moves)) => format!("with {} or fewer", plural(moves, "move")),
            _ => "with any number of moves".to_owned(),
        };
        return show(context, &Mate::No { mate: false }, || print_line(format!("No mate in one {limit}.")));
    };
    // The rules check the turn, whichever method found it.
    state.check(&turn)?;
    let written = state.turn_text(&turn);
    let moves = turn.moves.len();
    if let Some(out) = &args.picture.out {
        draw_turn(&state, &turn, &args.picture, out)?;
    }
    show(context, &Mate::Yes { mate: true, moves, turn: &written }, || {
        let least = if args.moves == Some(Moves::Unlimited) { "" } else { ", the fewest possible" };
        print_line(format!("Mate in one with {}{least}:\n{written}", plural(moves, "move")))?;
        if state.drawing().columns() <= MAX_COLUMNS {
            let marks = marks(&state, &turn);
            let shown = if marks.len() <= MAX_ARROWS { &marks[..] } else { &[] };
            print_line(terminal(context, state.drawing(), &state.drawing().picture(), shown).trim_end())?;
        }
        if let Some(out) = &args.picture.out {
            print_line(format!("The picture is in “{}”.", out.display()))?;
        }
        Ok(())
    })
}

/// Rejects options that would have no effect.
fn refuse_useless(args: &MateArgs, memory: Option<u64>) -> Result<(), BoxError> {
    let why = match (args.moves, args.method, memory) {
        (Some(Moves::Unlimited), Some(_), _) => {
            "--method finds the smallest number of moves, which --moves unlimited does not need"
        }
        (Some(Moves::Unlimited), _, Some(_)) => "--memory limits a search; --moves unlimited does not search",
        (_, Some(Method::Sat), Some(_)) => "--memory limits a search; --method sat does not search",
        _ => return Ok(()),
    };
    Err(why.into())
}

/// Draws a turn as one picture, or as an animation move by move.
fn draw_turn(state: &State, turn: &Turn, args: &PictureArgs, out: &Path) -> Result<(), BoxError> {
    let marks = marks(state, turn);
    // Spaces let the caption wrap between moves.
    let text = state.turn_text(turn).replace(',', ", ");
    if ending(out) != "gif" {
        let few = marks.len() <= MAX_ARROWS;
        let words = Words { caption: few.then_some(text), ..Words::default() };
        let shown = if few { &marks[..] } else { &[] };
        let svg = board::svg(&state.drawing().picture(), &args.style(), shown, &words);
        return write_picture(svg, args, out);
    }
    if marks.len() > MAX_FRAMES {
        let reason = format!("a turn of {} is too long for an animation", plural(turn.moves.len(), "move"));
        return Err(reason.into());
    }
    let frames = film_of(state, turn, &marks, &text, &args.style());
    write_file(out, &gif(&frames, pixels(args.width, out)?)?)
}

/// The frames of a turn: move by move, then the push, and the board after it.
fn film_of(
    state: &State,
    turn: &Turn,
    marks: &[Mark],
    text: &str,
    style: &BoardStyle,
) -> Vec<(String, Duration)> {
    let mut picture = state.drawing().picture();
    let mut scenes = Vec::with_capacity(marks.len() + 1);
    for (mark, words) in marks.iter().zip(text.split(", ")) {
        let step = match *mark {
            Mark::Move(from, to) => vec![Motion::Slide { from, via: Vec::new(), to }],
            _ => pushed_row(state, &picture, turn.push),
        };
        let before = picture.clone();
        picture.play(&step, &[]);
        scenes.push((before, vec![mark.clone()], vec![step], words));
    }
    let last = text.rsplit(", ").next().unwrap_or_default();
    scenes.push((picture, Vec::new(), Vec::new(), last));
    let shots: Vec<Shot<'_>> = scenes
        .iter()
        .map(|(picture, marks, motions, words)| Shot {
            picture,
            marks,
            motions,
            words: Words { caption: Some((*words).to_owned()), ..Words::default() },
        })
        .collect();
    film(&shots, &[], style, Pace { still: STEP_PAUSE, ..Pace::default() })
}

/// The push: the row moves together, its last piece falls off, and the anchor moves onto the
/// pusher.
fn pushed_row(state: &State, picture: &Picture, (pusher, direction): (u32, usize)) -> Vec<Motion> {
    const SIDES: [Edge; 4] = [Edge::Top, Edge::Right, Edge::Bottom, Edge::Left];
    let mut row = Vec::new();
    let mut at = pusher;
    while picture.at(state.place(at)).flatten().is_some() {
        let from = state.place(at);
        let Some(next) = state.neighbour(at, direction) else {
            row.push(Motion::Leave { from, toward: SIDES.get(direction).copied() });
            break;
        };
        row.push(Motion::Slide { from, via: Vec::new(), to: state.place(next) });
        at = next;
    }
    if let Some(to) = state.neighbour(pusher, direction) {
        let anchored = |&(place, _): &(GridSquare, char)| {
            picture.at(place).flatten().is_some_and(|piece| piece.anchored)
        };
        let from = state.drawing().squares().find(anchored).map(|(place, _)| place);
        row.push(Motion::Anchor { from, to: state.place(to) });
    }
    row
}

/// The arrows of a turn: its moves, then the push.
fn marks(state: &State, turn: &Turn) -> Vec<Mark> {
    let mut marks: Vec<Mark> =
        turn.moves.iter().map(|&(from, to)| Mark::Move(state.place(from), state.place(to))).collect();
    let (from, direction) = turn.push;
    if let Some(to) = state.neighbour(from, direction) {
        marks.push(Mark::Push(state.place(from), state.place(to)));
    }
    marks
}
