//! `puzzles`: positions with exactly one good turn, in the terminal or as a sheet to print with its solutions.

use std::path::{Path, PathBuf};

use retrograde_draw::{Sheet, Size, png, sheet};
use retrograde_explore::{Explore, Puzzle, PuzzleKind};
use retrograde_game::Seat;
use serde_json::json;

use super::find::{none_there, printing};
use super::stats::write_file;
use super::{Answer, board, print_json, say, with_game};
use crate::cli::puzzles::{KindWord, PuzzleArgs};
use crate::output::{plural, sentence, thousands, wrapped};
use crate::{Context, Ended, Failure};

/// Puzzles where no number is given, and on a sheet.
const FEW: u64 = 3;
const SHEET: u64 = 6;
/// Pixels across of a sheet as PNG: 300 to the inch.
const PIXELS: u32 = 2480;

pub(super) fn puzzles(context: &Context, asked: &PuzzleArgs) -> Answer {
    match &asked.sheet {
        Some(out) => sheets(context, asked, out),
        None => print(context, asked),
    }
}

/// Visits puzzles until there are as many as asked for.
fn each(
    game: &dyn Explore,
    asked: &PuzzleArgs,
    limit: u64,
    visit: &mut dyn FnMut(Puzzle) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    let kind = match asked.kind {
        KindWord::Win => PuzzleKind::Win,
        KindWord::Save => PuzzleKind::Save,
    };
    let mut met = 0;
    if limit > 0 {
        game.puzzles(kind, asked.turns, asked.seed, &mut |puzzle| {
            visit(puzzle).map_err(printing)?;
            met += 1;
            Ok(met < limit)
        })?;
    }
    Ok(met)
}

fn print(context: &Context, asked: &PuzzleArgs) -> Answer {
    let task = match asked.kind {
        KindWord::Win => "wins",
        KindWord::Save => "saves what can be saved",
    };
    with_game(context, &asked.game, |game| {
        let mut show = |puzzle: Puzzle| -> Result<(), Failure> {
            if context.json {
                return print_json(&puzzle);
            }
            say(board(context, game, &puzzle.position, Seat::First, None)?)?;
            say(&puzzle.position)?;
            let text = format!(
                "{} Only one of its {} turns {task}: which?",
                sentence("The side to move", puzzle.verdict),
                thousands(puzzle.turns_available as u128)
            );
            say(wrapped(&text, 0))?;
            if asked.solutions {
                say(format!("Solution: {}", puzzle.solution))?;
            }
            say("")
        };
        let shown = each(game, asked, asked.limit.unwrap_or(FEW), &mut show)?;
        if shown == 0 && !context.json {
            say(wrapped(&none_there(game, "puzzle"), 0))?;
        }
        Ok(Ended::Well)
    })
}

/// Where the solutions of a sheet go: beside it.
fn beside(out: &Path) -> Option<PathBuf> {
    let mut name = out.file_stem()?.to_os_string();
    name.push("-solutions.");
    name.push(out.extension()?);
    Some(out.with_file_name(name))
}

fn sheets(context: &Context, asked: &PuzzleArgs, out: &Path) -> Answer {
    let ending = out.extension().and_then(|ending| ending.to_str()).unwrap_or("");
    let solutions = beside(out).filter(|_| matches!(ending, "svg" | "png"));
    let Some(solutions) = solutions else {
        return Err(format!("“{}” ends neither in .svg nor in .png", out.display()).into());
    };
    let limit = asked.limit.unwrap_or(SHEET);
    if !(1..=sheet::MOST as u64).contains(&limit) {
        return Err(format!("a sheet has room for 1 to {} puzzles, not {limit}", sheet::MOST).into());
    }
    with_game(context, &asked.game, |game| {
        let mut puzzles = Vec::new();
        each(game, asked, limit, &mut |puzzle| {
            puzzles.push(puzzle);
            Ok(())
        })?;
        if puzzles.is_empty() {
            return Err(none_there(game, "puzzle").into());
        }
        // The quickest to think through come first.
        puzzles.sort_by_key(|puzzle| puzzle.verdict.turns);
        let pages = pages(game, asked.kind, &puzzles)?;
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
            say(wrapped(&text, 0))?;
        }
        Ok(Ended::Well)
    })
}

/// What is to be found.
fn task(puzzle: &Puzzle) -> String {
    match (puzzle.verdict.outcome, puzzle.verdict.turns) {
        ("win", Some(turns)) => format!("Win in {turns}: find the one winning turn."),
        ("win", None) => "Won: find the one winning turn.".to_owned(),
        ("loss", Some(turns)) => format!("Lost in {turns}: find the one turn that holds out so long."),
        _ => "Drawn: find the one turn that does not lose.".to_owned(),
    }
}

/// The puzzles, and their solutions.
fn pages(game: &dyn Explore, kind: KindWord, puzzles: &[Puzzle]) -> Result<[Sheet; 2], Failure> {
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
