//! `puzzles`: finds positions with exactly one good turn, for the terminal, as a sheet to print
//! with its solutions, or as flashcards.

pub(crate) mod args;
mod cards;
mod sheets;

use args::{PuzzlesArgs, effect};
use retrograde_explore::Puzzle;
use retrograde_game::Seat;

use crate::output::{
    board, nothing_found, player, print_json, print_line, thousands, to_move_sentence, visitor_error, wrapped,
};
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult, Exit};

/// The default number of puzzles to print.
const PRINTED: u64 = 3;

pub(crate) fn run(context: &Context, args: &PuzzlesArgs) -> CommandResult {
    match &args.sheet {
        Some(out) => sheets::draw_sheets(context, args, out),
        None if args.cards.format.is_some() => cards::make_cards(context, args),
        None => print(context, args),
    }
}

fn print(context: &Context, args: &PuzzlesArgs) -> CommandResult {
    let game = &*context.open(&args.game)?;
    let show = |puzzle: Puzzle| -> Result<(), BoxError> {
        if context.json {
            return print_json(&puzzle);
        }
        print_line(board(context, game, &puzzle.position, Seat::First, None)?)?;
        print_line(&puzzle.position)?;
        let to_move = game.to_move(&puzzle.position, Seat::First)?;
        let text = format!(
            "{} Only one of {} turns {}: which?",
            to_move_sentence(game, &player(game, to_move), puzzle.verdict),
            thousands(puzzle.turns_available as u128),
            effect(args.kind, puzzle.verdict)
        );
        print_line(wrapped(&text, 0))?;
        if args.solutions {
            print_line(format!("Solution: {}", puzzle.solution_on_board))?;
        }
        print_line("")
    };
    let mut any = false;
    game.puzzles(&args.query(args.limit.unwrap_or(PRINTED)), &mut |puzzle| {
        any = true;
        show(puzzle).map_err(visitor_error)?;
        Ok(true)
    })?;
    if !any {
        return nothing_found(context, game, "puzzle");
    }
    Ok(Exit::Success)
}
