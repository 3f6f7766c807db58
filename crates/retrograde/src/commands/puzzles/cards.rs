//! Puzzles as flashcards.

use retrograde_explore::{OpenGame, Puzzle, PuzzleKind};
use retrograde_game::Seat;

use super::args::{PuzzlesArgs, effect, task};
use crate::files::cards::{Card, paragraph, picture, write_cards};
use crate::output::{nothing_found, plural, reserve_output, verdict};
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult};

/// The default number of flashcards.
const CARDS: u64 = 20;

pub(super) fn make_cards(context: &Context, args: &PuzzlesArgs) -> CommandResult {
    reserve_output(args.cards.out.as_deref())?;
    let game = &*context.open(&args.game)?;
    let puzzles = args.puzzles(game, args.limit.unwrap_or(CARDS))?;
    if puzzles.is_empty() {
        return nothing_found(context, game, "puzzle");
    }
    let cards: Result<Vec<Card>, BoxError> =
        puzzles.iter().map(|puzzle| card(game, args.kind, puzzle)).collect();
    write_cards(context, &args.cards, game.name(), &cards?)
}

/// The puzzle on the front, its solution on the back.
fn card(game: &OpenGame, kind: PuzzleKind, puzzle: &Puzzle) -> Result<Card, BoxError> {
    let scenes = game.scenes(&puzzle.position, Seat::First, std::slice::from_ref(&puzzle.solution))?;
    let scene = scenes.into_iter().next().ok_or("a solution has no picture")?;
    let who = scene.picture.to_move.name();
    let turns = plural(puzzle.turns_available, "turn");
    let value = verdict(puzzle.verdict);
    let front = picture(&scene.picture, &[], &puzzle.position);
    let back = picture(&scene.picture, &scene.marks, &puzzle.solution_on_board);
    Ok(Card {
        front: format!("{front}{}", paragraph(&format!("{who} to move. {}", task(kind, puzzle)))),
        back: format!(
            "{back}{}{}",
            paragraph(&puzzle.solution_on_board),
            paragraph(&format!(
                "The only one of {turns} that {}: {value} for {who}. {}",
                effect(kind, puzzle.verdict),
                puzzle.position
            ))
        ),
        tags: vec!["retrograde".to_owned(), game.name().replace(':', "-"), value],
    })
}
