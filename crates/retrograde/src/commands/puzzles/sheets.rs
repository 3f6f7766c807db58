//! Puzzles as a sheet to print, with the solutions on a second sheet.

use std::path::{Path, PathBuf};

use retrograde_draw::{Sheet, Size, sheet};
use retrograde_explore::export::reject_existing;
use retrograde_explore::{OpenGame, Puzzle, PuzzleKind};
use retrograde_game::Seat;

use super::args::{PuzzlesArgs, effect, task};
use crate::files::{ending, write_svg};
use crate::output::{WrittenFiles, nothing_found, plural, print_line, show, wrapped};
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult};

/// The default number of puzzles on a sheet.
const DEFAULT_ON_SHEET: u64 = 6;
/// The width of a PNG sheet in pixels: 300 per inch.
const PIXELS: u32 = 2480;

/// The path of the sheet with the solutions.
fn solutions_path(out: &Path) -> Option<PathBuf> {
    let mut name = out.file_stem()?.to_os_string();
    name.push("-solutions.");
    name.push(out.extension()?);
    Some(out.with_file_name(name))
}

pub(super) fn draw_sheets(context: &Context, args: &PuzzlesArgs, out: &Path) -> CommandResult {
    let solutions = solutions_path(out).filter(|_| matches!(&*ending(out), "svg" | "png"));
    let Some(solutions) = solutions else {
        return Err(format!("“{}” must end in .svg or .png", out.display()).into());
    };
    for path in [out, &*solutions] {
        reject_existing(path)?;
    }
    let limit = args.limit.unwrap_or(DEFAULT_ON_SHEET);
    if !(1..=sheet::MAX_ENTRIES as u64).contains(&limit) {
        return Err(format!("a sheet can have 1 to {} puzzles, not {limit}", sheet::MAX_ENTRIES).into());
    }
    let game = &*context.open(&args.game)?;
    let mut puzzles = args.puzzles(game, limit)?;
    if puzzles.is_empty() {
        return nothing_found(context, game, "puzzle");
    }
    // The quickest to solve come first.
    puzzles.sort_by_key(|puzzle| puzzle.verdict.turns);
    let pages = pages(game, args.kind, &puzzles)?;
    for (path, page) in [(out, &pages[0]), (&*solutions, &pages[1])] {
        write_svg(sheet::svg(page), Size::Width(PIXELS), path)?;
    }
    let files = [out, &*solutions].map(|path| path.display().to_string());
    let [first, second] = &files;
    let count = plural(puzzles.len(), "puzzle");
    let text = format!("{count} drawn to “{first}”, the solutions to “{second}”: one A4 page each.");
    let written = WrittenFiles { game: game.name(), files: files.into() };
    show(context, &written, || print_line(wrapped(&text, 0)))
}

/// Two sheets: the puzzles and their solutions.
fn pages(game: &OpenGame, kind: PuzzleKind, puzzles: &[Puzzle]) -> Result<[Sheet; 2], BoxError> {
    let mut entries = [Vec::new(), Vec::new()];
    for puzzle in puzzles {
        let scenes = game.scenes(&puzzle.position, Seat::First, std::slice::from_ref(&puzzle.solution))?;
        let scene = scenes.into_iter().next().ok_or("a solution has no picture")?;
        entries[0].push(sheet::Entry {
            picture: scene.picture.clone(),
            marks: Vec::new(),
            head: format!("{} to move", scene.picture.to_move.name()),
            to_move: true,
            words: task(kind, puzzle),
        });
        entries[1].push(sheet::Entry {
            picture: scene.picture,
            marks: scene.marks,
            // Lines wrap at spaces.
            head: scene.turn.unwrap_or_else(|| puzzle.solution.clone()).replace(',', ", "),
            to_move: false,
            words: format!(
                "the only one of {} that {}",
                plural(puzzle.turns_available, "turn"),
                effect(kind, puzzle.verdict)
            ),
        });
    }
    let [tasks, solved] = entries;
    let lead = match kind {
        PuzzleKind::Win => "In each position exactly one turn wins. Which?",
        PuzzleKind::Save => "In each position exactly one turn avoids a loss or delays it longest. Which?",
        PuzzleKind::Press => {
            "Each position is drawn. Exactly one turn leaves the opponent a single reply that draws. Which?"
        }
    };
    let counted = puzzles.iter().any(|puzzle| puzzle.verdict.turns.is_some());
    let counted = if counted {
        "Turns of both players count: a win in 3 is a turn, any reply, and a winning turn. "
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
            lead: "The only right turn in each position.".to_owned(),
            entries: solved,
            foot: String::new(),
        },
    ])
}
