//! `perft`: counts the leaves of the game tree at a depth, to test move generators.

use std::time::Duration;

use clap::Args;
use retrograde_explore::{Count, SearchLimits};
use schemars::JsonSchema;
use serde::Serialize;

use crate::output::progress::ProgressDisplay;
use crate::output::{count, print_line, show};
use crate::program::args::{number, parse_seconds, whole};
use crate::program::context::Context;
use crate::program::exit::{CommandResult, Exit};

/// Count the leaves of the game tree, to test move generators
#[derive(Args, Debug)]
#[command(after_help = "It counts the ways to play exactly N turns. Turns from one position to the same\n\
                  next position count once. Games that end earlier are not counted.\n\n\
                  Examples:\n  retrograde perft {game} --depth 4")]
pub(crate) struct PerftArgs {
    /// A game or variant; `games` lists them
    game: String,
    /// The position [default: the start]
    position: Option<String>,
    /// The depth in turns; a placement counts as a turn
    #[arg(long, value_parser = number::<u32>(0..=u32::MAX.into(), 3))]
    depth: u32,
    /// Seconds to count [default: no limit]
    #[arg(long, value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Positions to visit [default: no limit]
    #[arg(long, value_parser = whole::<u64>(1_000_000))]
    nodes: Option<u64>,
}

/// The number of ways to play exactly `depth` turns (`perft`). At each position, turns that lead to the
/// same position count once, and a placement counts as a turn.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Perft<'a> {
    /// The canonical name of the game.
    game: &'a str,
    /// The first position.
    position: String,
    /// The number of turns.
    depth: u32,
    /// The number of ways; games that end earlier add nothing.
    leaves: Count,
    /// True if a limit was reached: there may be more than the answer lists and counts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    incomplete: bool,
}

pub(crate) fn run(context: &Context, args: &PerftArgs) -> CommandResult {
    let depth = args.depth;
    let game = &*context.open(&args.game)?;
    let position = game.canonical(args.position.as_deref().unwrap_or(&game.start()))?;
    let limits = SearchLimits {
        nodes: args.nodes.unwrap_or(u64::MAX),
        time: args.time.unwrap_or(Duration::MAX),
        depth: None,
    };
    let counted = ProgressDisplay::during(|bar| game.perft(&position, depth, &limits, bar));
    let (leaves, complete) = counted?;
    let counted = count(leaves, "leaf", "leaves");
    let (game, leaves) = (game.name(), Count(leaves));
    let answer = Perft { game, position, depth, leaves, incomplete: !complete };
    show(context, &answer, || {
        print_line(match complete {
            true => format!("{counted} at depth {depth}"),
            false => format!("at least {counted} at depth {depth} (stopped by --time or --nodes)"),
        })
    })?;
    Ok(if complete { Exit::Success } else { Exit::NothingFound })
}
