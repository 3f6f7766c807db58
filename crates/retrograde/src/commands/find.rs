//! `find`: positions with a given value.

use retrograde_explore::{Explore, FindQuery};
use retrograde_game::Outcome;

use super::{Answer, print_json, say, with_game};
use crate::cli::OutcomeWord;
use crate::output::{plural, verdict, wrapped};
use crate::{Context, Ended, Failure};

/// Errors of printing cross the visitor as errors of writing.
pub(super) fn printing(failure: Failure) -> retrograde_explore::Error {
    match failure.downcast::<std::io::Error>() {
        Ok(error) => (*error).into(),
        Err(other) => std::io::Error::other(other).into(),
    }
}

/// That a table has nothing of what was asked for.
pub(super) fn none_there(game: &dyn Explore, what: &str) -> String {
    let further = game.horizon().map(|turns| {
        let turns = plural(turns.into(), "turn");
        format!(" It is solved up to {turns}; without --phases, or with more, it may have some.")
    });
    format!("There is no such {what} in the table.{}", further.unwrap_or_default())
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
        game.find(&FindQuery { outcome, turns, random, limit }, &mut |found| {
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
            say(wrapped(&none_there(game, "position"), 0))?;
        }
        Ok(Ended::Well)
    })
}
