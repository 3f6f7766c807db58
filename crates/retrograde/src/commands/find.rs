//! `find`: positions with a given value.

use clap::Args;
use retrograde_explore::FindQuery;
use retrograde_game::Outcome;

use crate::output::{nothing_found, painted_verdict, print_json, print_line, visitor_error};
use crate::program::args::{number, whole, word};
use crate::program::context::Context;
use crate::program::exit::{CommandResult, Exit};

/// Find positions with a given value
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  retrograde find {game} --outcome win --turns 11\n  \
                        retrograde find {game} --outcome loss --random --limit 3")]
pub(crate) struct FindArgs {
    /// A game or variant; `games` lists them
    game: String,
    /// The outcome for the side to move
    #[arg(
        long,
        value_parser = word([("win", Outcome::Win), ("loss", Outcome::Loss), ("draw", Outcome::Draw)])
    )]
    outcome: Outcome,
    /// Only positions that end in N turns
    #[arg(long, value_parser = number::<u16>(0..=65_535, 7))]
    turns: Option<u16>,
    /// Choose positions at random instead of in index order
    #[arg(long)]
    random: bool,
    /// Seed of the random choices
    #[arg(long, default_value_t = 1, requires = "random", value_parser = whole::<u64>(1))]
    seed: u64,
    /// Maximum number of positions to show
    #[arg(long, default_value_t = 10, value_parser = number::<u64>(1..=u64::MAX, 10))]
    limit: u64,
}

pub(crate) fn run(context: &Context, args: &FindArgs) -> CommandResult {
    let random = args.random.then_some(args.seed);
    let wanted = FindQuery { outcome: args.outcome, turns: args.turns, random, limit: args.limit };
    let game = &*context.open(&args.game)?;
    let mut any = false;
    game.find(&wanted, &mut |found| {
        any = true;
        let printed = if context.json {
            print_json(&found)
        } else {
            print_line(format!("{}  {}", found.position, painted_verdict(context, found.verdict, 0)))
        };
        printed.map_err(visitor_error)?;
        Ok(true)
    })?;
    if !any {
        return nothing_found(context, game, "position");
    }
    Ok(Exit::Success)
}
