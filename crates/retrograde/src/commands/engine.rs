//! `engine`: answers programs, in the words of UGI.

use clap::Args;
use retrograde_engine::{Strength, ugi};

use crate::args::{SearchArgs, number};
use crate::context::{CommandResult, Context, Exit};
use crate::failure::Failure;
use crate::output::program_name;

/// The options of `engine`.
#[derive(Args, Debug)]
pub(crate) struct EngineArgs {
    /// A game, such as touchdown:5x4
    game: String,
    /// How well it plays: perfect, random, or turns to look ahead; with errors: 3,errs=15%
    #[arg(long, default_value_t = Strength::PERFECT, value_name = "STRENGTH")]
    strength: Strength,
    /// Seed of the choices among equal turns
    #[arg(
        long,
        default_value_t = 1,
        value_name = "N",
        value_parser = number::<u64>(0..=u64::MAX, "--seed 1")
    )]
    seed: u64,
    #[command(flatten)]
    search: SearchArgs,
}

pub(crate) fn run(context: &Context, args: &EngineArgs) -> CommandResult {
    let game = context.open(&args.game, None)?;
    let engine = ugi::Engine {
        name: format!("{} {}", program_name(), env!("CARGO_PKG_VERSION")),
        strength: args.strength,
        seed: args.seed,
        limits: args.search.limits(),
        open: Box::new(|tables| {
            context.open(&args.game, tables).map_err(|error| Failure::from_error(error).detail().to_owned())
        }),
    };
    ugi::run(engine, game, std::io::stdin(), std::io::stdout())?;
    Ok(Exit::Success)
}
