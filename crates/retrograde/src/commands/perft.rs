//! `perft`: counts the leaves of the game tree at a depth, to test move generators.

use clap::Args;
use retrograde_explore::Count;
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::number;
use crate::context::Context;
use crate::exit::{CommandResult, Exit};
use crate::output::{count, print_json, print_line};
use crate::progress::ProgressDisplay;

/// The options of `perft`.
#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    /// A game, such as touchdown:5x4
    game: String,
    /// The position [default: the start]
    position: Option<String>,
    /// The depth in turns; a placement counts as a turn
    #[arg(long, value_name = "N", value_parser = number::<u32>(0..=u32::MAX.into(), "--depth 3"))]
    depth: u32,
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
}

pub(crate) fn run(context: &Context, args: &PerftArgs) -> CommandResult {
    let depth = args.depth;
    context.with_game(&args.game, |game| {
        let position = game.canonical(args.position.as_deref().unwrap_or(&game.start()))?;
        let bar = ProgressDisplay::new();
        let leaves = game.perft(&position, depth, &bar)?;
        if context.json {
            let leaves = Count(leaves);
            print_json(&Perft { game: game.name(), position, depth, leaves })?;
        } else {
            print_line(format!("{} at depth {depth}", count(leaves, "leaf", "leaves")))?;
        }
        Ok(Exit::Success)
    })
}
