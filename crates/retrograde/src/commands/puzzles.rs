//! `puzzles`: positions with exactly one good turn, in the terminal or as a sheet to print with its
//! solutions.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use retrograde_draw::{Sheet, Size, png, sheet};
use retrograde_explore::request::{Order, PuzzlesRequest, Request};
use retrograde_explore::{Explore, Puzzle, PuzzleKind, SearchLimits};
use retrograde_game::Seat;
use serde_json::json;

use crate::context::{BoxError, CommandResult, Context, Exit};
use crate::files::{ending, write_file};
use crate::output::{
    board, nothing_found, plural, print_json, print_line, sentence, thousands, visitor_error, wrapped,
};

/// Puzzles to print by default.
const PRINTED: u64 = 3;
/// Puzzles on a sheet by default.
const ON_SHEET: u64 = 6;
/// Pixels across of a sheet as PNG: 300 to the inch.
const PIXELS: u32 = 2480;

/// The options of `puzzles`.
#[derive(Args, Debug)]
pub(crate) struct PuzzlesArgs {
    /// A game, such as touchdown:5x4
    game: String,
    /// Exactly one turn wins, or exactly one saves what can be saved
    #[arg(long, value_enum, default_value = "win")]
    kind: KindWord,
    /// The turns to the end
    #[arg(long, value_name = "N")]
    turns: Option<u16>,
    /// Seed of a random choice; without it puzzles come by index
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The most puzzles to show [default: 3; on a sheet 6, at most 12]
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Show the solutions too
    #[arg(long, conflicts_with = "sheet")]
    solutions: bool,
    /// Draw a page to print (.svg, .png), and a second one with the solutions, FILE-solutions
    #[arg(long, value_name = "FILE")]
    sheet: Option<PathBuf>,
}

/// A kind of puzzle on the command line.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum KindWord {
    Win,
    Save,
}

pub(crate) fn run(context: &Context, args: &PuzzlesArgs) -> CommandResult {
    match &args.sheet {
        Some(out) => draw_sheets(context, args, out),
        None => print(context, args),
    }
}

/// The request of these options.
fn request(args: &PuzzlesArgs, limit: u64) -> PuzzlesRequest {
    let kind = match args.kind {
        KindWord::Win => PuzzleKind::Win,
        KindWord::Save => PuzzleKind::Save,
    };
    let order = args.seed.map_or(Order::ByIndex, Order::Random);
    PuzzlesRequest { position: None, to_move: Seat::First, kind, turns: args.turns, order, limit }
}

fn print(context: &Context, args: &PuzzlesArgs) -> CommandResult {
    let task = match args.kind {
        KindWord::Win => "wins",
        KindWord::Save => "saves what can be saved",
    };
    context.with_game(&args.game, |game| {
        let show = |puzzle: Puzzle| -> Result<(), BoxError> {
            if context.json {
                return print_json(&puzzle);
            }
            print_line(board(context, game, &puzzle.position, Seat::First, None)?)?;
            print_line(&puzzle.position)?;
            let text = format!(
                "{} Only one of its {} turns {task}: which?",
                sentence("The side to move", puzzle.verdict),
                thousands(puzzle.turns_available as u128)
            );
            print_line(wrapped(&text, 0))?;
            if args.solutions {
                print_line(format!("Solution: {}", puzzle.solution))?;
            }
            print_line("")
        };
        let mut any = false;
        let request = request(args, args.limit.unwrap_or(PRINTED));
        request.each(game, &SearchLimits::default(), &mut |puzzle| {
            any = true;
            show(puzzle).map_err(visitor_error)
        })?;
        if !any && !context.json {
            print_line(wrapped(&nothing_found(game, "puzzle"), 0))?;
        }
        Ok(Exit::Success)
    })
}

/// The file for the solutions of a sheet, beside it.
fn solutions_path(out: &Path) -> Option<PathBuf> {
    let mut name = out.file_stem()?.to_os_string();
    name.push("-solutions.");
    name.push(out.extension()?);
    Some(out.with_file_name(name))
}

fn draw_sheets(context: &Context, args: &PuzzlesArgs, out: &Path) -> CommandResult {
    let ending = ending(out);
    let solutions = solutions_path(out).filter(|_| matches!(ending, "svg" | "png"));
    let Some(solutions) = solutions else {
        return Err(format!("“{}” ends neither in .svg nor in .png", out.display()).into());
    };
    let limit = args.limit.unwrap_or(ON_SHEET);
    if !(1..=sheet::MAX_ENTRIES as u64).contains(&limit) {
        return Err(format!("a sheet has room for 1 to {} puzzles, not {limit}", sheet::MAX_ENTRIES).into());
    }
    context.with_game(&args.game, |game| {
        let mut puzzles = request(args, limit).answer(game, &SearchLimits::default())?.puzzles;
        if puzzles.is_empty() {
            return Err(nothing_found(game, "puzzle").into());
        }
        // The quickest to think through come first.
        puzzles.sort_by_key(|puzzle| puzzle.verdict.turns);
        let pages = pages(game, args.kind, &puzzles)?;
        for (path, page) in [(out, &pages[0]), (&*solutions, &pages[1])] {
            let svg = sheet::svg(page);
            let bytes = if ending == "png" { png(&svg, Size::Width(PIXELS))? } else { svg.into_bytes() };
            write_file(path, &bytes)?;
        }
        if context.json {
            let files = [out, &*solutions].map(|path| path.display().to_string());
            print_json(&json!({"game": game.name(), "files": files}))?;
        } else {
            let count = plural(puzzles.len(), "puzzle");
            let text = format!(
                "{count} drawn to “{}”, the solutions to “{}”: a page of A4 each.",
                out.display(),
                solutions.display()
            );
            print_line(wrapped(&text, 0))?;
        }
        Ok(Exit::Success)
    })
}

/// The task of a puzzle, in a sentence.
fn task(puzzle: &Puzzle) -> String {
    match (puzzle.verdict.outcome, puzzle.verdict.turns) {
        ("win", Some(turns)) => format!("Win in {turns}: find the one winning turn."),
        ("win", None) => "Won: find the one winning turn.".to_owned(),
        ("loss", Some(turns)) => format!("Lost in {turns}: find the one turn that holds out so long."),
        _ => "Drawn: find the one turn that does not lose.".to_owned(),
    }
}

/// Two sheets: the puzzles and their solutions.
fn pages(game: &dyn Explore, kind: KindWord, puzzles: &[Puzzle]) -> Result<[Sheet; 2], BoxError> {
    let mut entries = [Vec::new(), Vec::new()];
    let does = match kind {
        KindWord::Win => "wins",
        KindWord::Save => "saves it",
    };
    for puzzle in puzzles {
        let scenes = game.scenes(&puzzle.position, Seat::First, std::slice::from_ref(&puzzle.solution))?;
        let scene = scenes.into_iter().next().ok_or("a solution has no picture")?;
        entries[0].push(sheet::Entry {
            picture: scene.picture.clone(),
            marks: Vec::new(),
            head: "First player to move".to_owned(),
            to_move: true,
            words: task(puzzle),
        });
        entries[1].push(sheet::Entry {
            picture: scene.picture,
            marks: scene.marks,
            // Lines are broken at blanks.
            head: scene.turn.unwrap_or_else(|| puzzle.solution.clone()).replace(',', ", "),
            to_move: false,
            words: format!("the one of {} that {does}", plural(puzzle.turns_available, "turn")),
        });
    }
    let [tasks, solved] = entries;
    let lead = match kind {
        KindWord::Win => "In each position exactly one turn wins. Which?",
        KindWord::Save => {
            "In each position one turn alone saves what can be saved: a draw, or the latest loss."
        }
    };
    let counted = puzzles.iter().any(|puzzle| puzzle.verdict.turns.is_some());
    let counted = if counted {
        "The turns of both players are counted: a win in 3 is a turn, any answer, and a turn that wins. "
    } else {
        ""
    };
    let title = format!("{} of {}", plural(puzzles.len(), "puzzle"), game.name());
    Ok([
        Sheet {
            title: title.clone(),
            lead: lead.to_owned(),
            entries: tasks,
            foot: format!("{counted}The solutions are on the other page."),
        },
        Sheet {
            title: format!("Solutions: {title}"),
            lead: "The one right turn of each position.".to_owned(),
            entries: solved,
            foot: String::new(),
        },
    ])
}
