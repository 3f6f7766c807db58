//! `puzzles`: positions with exactly one good turn, in the terminal, as a sheet to print with its
//! solutions, or as flashcards.

mod cards;
mod sheets;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use retrograde_explore::request::{Order, PuzzlesRequest};
use retrograde_explore::{Puzzle, PuzzleKind, SearchLimits};
use retrograde_game::Seat;

use crate::anki::CardArgs;
use crate::args::number;
use crate::context::{BoxError, CommandResult, Context, Exit};
use crate::output::{
    board, nothing_found, player, print_json, print_line, thousands, to_move_sentence, visitor_error, wrapped,
};

/// Puzzles to print by default.
const PRINTED: u64 = 3;

/// The options of `puzzles`.
#[derive(Args, Debug)]
pub(crate) struct PuzzlesArgs {
    /// A game, such as touchdown:5x4
    game: String,
    /// Exactly one turn wins, exactly one saves what can be saved, or the position is drawn and
    /// exactly one turn sets the opponent a task
    #[arg(long, value_enum, default_value = "win")]
    kind: KindWord,
    /// The turns to the end
    #[arg(long, value_name = "N", value_parser = number::<u16>(0..=65_535, "--turns 7"))]
    turns: Option<u16>,
    /// Seed of a random choice; without it puzzles come by index
    #[arg(long, value_name = "N", value_parser = number::<u64>(0..=u64::MAX, "--seed 1"))]
    seed: Option<u64>,
    /// The most puzzles to show [default: 3; on a sheet 6, at most 12; as cards 20]
    #[arg(long, value_name = "N", value_parser = number::<u64>(0..=u64::MAX, "--limit 10"))]
    limit: Option<u64>,
    /// Show the solutions too
    #[arg(long, conflicts_with_all = ["sheet", "format"])]
    solutions: bool,
    /// Draw a page to print (.svg, .png), and a second one with the solutions, FILE-solutions
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    sheet: Option<PathBuf>,
    #[command(flatten)]
    cards: CardArgs,
}

/// A kind of puzzle on the command line.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum KindWord {
    Win,
    Save,
    Press,
}

pub(crate) fn run(context: &Context, args: &PuzzlesArgs) -> CommandResult {
    match &args.sheet {
        Some(out) => sheets::draw_sheets(context, args, out),
        None if args.cards.format.is_some() => cards::make_cards(context, args),
        None => print(context, args),
    }
}

/// The request of these options.
fn request(args: &PuzzlesArgs, limit: u64) -> PuzzlesRequest {
    let kind = match args.kind {
        KindWord::Win => PuzzleKind::Win,
        KindWord::Save => PuzzleKind::Save,
        KindWord::Press => PuzzleKind::Press,
    };
    let order = args.seed.map_or(Order::ByIndex, Order::Random);
    PuzzlesRequest { position: None, to_move: Seat::First, kind, turns: args.turns, order, limit }
}

fn print(context: &Context, args: &PuzzlesArgs) -> CommandResult {
    let task = match args.kind {
        KindWord::Win => "wins",
        KindWord::Save => "saves what can be saved",
        KindWord::Press => "leaves the opponent a single reply that holds",
    };
    context.with_game(&args.game, |game| {
        let show = |puzzle: Puzzle| -> Result<(), BoxError> {
            if context.json {
                return print_json(&puzzle);
            }
            print_line(board(context, game, &puzzle.position, Seat::First, None)?)?;
            print_line(&puzzle.position)?;
            let to_move = game.to_move(&puzzle.position, Seat::First)?;
            let text = format!(
                "{} Only one of {} turns {task}: which?",
                to_move_sentence(game, &player(game, to_move), puzzle.verdict),
                thousands(puzzle.turns_available as u128)
            );
            print_line(wrapped(&text, 0))?;
            if args.solutions {
                print_line(format!("Solution: {}", puzzle.solution_on_board))?;
            }
            print_line("")
        };
        let mut any = false;
        let request = request(args, args.limit.unwrap_or(PRINTED));
        request.each(game, &SearchLimits::default(), &mut |puzzle| {
            any = true;
            show(puzzle).map_err(visitor_error)
        })?;
        if !any {
            return nothing_found(context, game, "puzzle");
        }
        Ok(Exit::Success)
    })
}

/// The task of a puzzle, in a sentence.
fn task(kind: KindWord, puzzle: &Puzzle) -> String {
    if matches!(kind, KindWord::Press) {
        return "Drawn: find the one turn that leaves the opponent a single reply that holds.".to_owned();
    }
    match (puzzle.verdict.outcome, puzzle.verdict.turns) {
        ("win", Some(turns)) => format!("Win in {turns}: find the one winning turn."),
        ("win", None) => "Won: find the one winning turn.".to_owned(),
        ("loss", Some(turns)) => format!("Lost in {turns}: find the one turn that holds out so long."),
        _ => "Drawn: find the one turn that does not lose.".to_owned(),
    }
}
