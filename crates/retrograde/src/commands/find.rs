//! `find` and `puzzles`: positions with a given value, and those with exactly one good turn.

use retrograde_explore::{PuzzleKind, Wanted};
use retrograde_game::{Outcome, Seat};

use super::{Answer, board, print_json, say, with_game};
use crate::cli::{KindWord, OutcomeWord};
use crate::output::{sentence, thousands, verdict, wrapped};
use crate::{Context, Ended, Failure};

/// Errors of printing cross the visitor as errors of writing.
fn printing(failure: Failure) -> retrograde_explore::Error {
    match failure.downcast::<std::io::Error>() {
        Ok(error) => (*error).into(),
        Err(other) => std::io::Error::other(other).into(),
    }
}

pub(super) fn find(
    context: &Context,
    name: &str,
    outcome: OutcomeWord,
    turns: Option<u16>,
    random: Option<u64>,
    limit: u64,
) -> Answer {
    let outcome = match outcome {
        OutcomeWord::Win => Outcome::Win,
        OutcomeWord::Loss => Outcome::Loss,
        OutcomeWord::Draw => Outcome::Draw,
    };
    with_game(context, name, |game| {
        let mut any = false;
        game.find(&Wanted { outcome, turns, random, limit }, &mut |found| {
            any = true;
            let printed = if context.json {
                print_json(&found)
            } else {
                say(format!("{}  {}", found.position, verdict(found.verdict)))
            };
            printed.map_err(printing)?;
            Ok(true)
        })?;
        if !any && !context.json {
            say("There is no such position in the table.")?;
        }
        Ok(Ended::Well)
    })
}

pub(super) fn puzzles(
    context: &Context,
    name: &str,
    kind: KindWord,
    turns: Option<u16>,
    seed: Option<u64>,
    limit: u64,
    solutions: bool,
) -> Answer {
    let (kind, task) = match kind {
        KindWord::Win => (PuzzleKind::Win, "wins"),
        KindWord::Save => (PuzzleKind::Save, "saves what can be saved"),
    };
    with_game(context, name, |game| {
        let mut shown = 0;
        let visit = |puzzle: retrograde_explore::Puzzle| -> Result<(), Failure> {
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
            if solutions {
                say(format!("Solution: {}", puzzle.solution))?;
            }
            say("")
        };
        if limit > 0 {
            game.puzzles(kind, turns, seed, &mut |puzzle| {
                visit(puzzle).map_err(printing)?;
                shown += 1;
                Ok(shown < limit)
            })?;
        }
        if shown == 0 && !context.json {
            say("There is no such puzzle in the table.")?;
        }
        Ok(Ended::Well)
    })
}
