//! `engine`: answers other programs in the UGI protocol or, with `--json`, in lines of JSON.

use clap::Args;
use retrograde_engine::{Strength, analysis, ugi};

use crate::output::failure::Failure;
use crate::output::program_name;
use crate::program::args::{SearchArgs, SeedArgs};
use crate::program::context::Context;
use crate::program::exit::{CommandResult, Exit};

/// Run as an engine on standard input and output (UGI, or JSON queries)
#[derive(Args, Debug)]
#[command(after_help = "Turns are written in board coordinates, without spaces. See docs/engines.md for\n\
                  the protocols.\n\n\
                  Examples:\n  retrograde engine {game}\n  \
                        retrograde engine {game} --strength 3,errs=15%\n  \
                        printf 'position startpos moves a1a2\\ngo\\n' | retrograde engine touchdown")]
pub(crate) struct EngineArgs {
    /// A game or variant; `games` lists them. With --json, queries can name others
    game: Option<String>,
    /// Playing strength: perfect; perfect,presses (sets the opponent tasks in draws); random; or a
    /// number of turns to look ahead; 3,errs=15% adds mistakes
    #[arg(long, default_value_t = Strength::PERFECT, value_name = "STRENGTH")]
    strength: Strength,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    search: SearchArgs,
}

pub(crate) fn run(context: &Context, args: &EngineArgs) -> CommandResult {
    let name = format!("{} {}", program_name(), env!("CARGO_PKG_VERSION"));
    if context.json {
        return analyse(context, args, name);
    }
    let Some(game) = args.game.as_deref() else {
        return Err("`engine` needs a GAME; only with --json can queries name games".into());
    };
    let opened = context.open(game)?;
    let author = match program_name() {
        "retrograde" => "the Retrograde team".to_owned(),
        own => format!("the authors of {own}"),
    };
    let engine = ugi::Engine {
        name,
        author,
        strength: args.strength,
        seed: args.seed.seed,
        limits: args.search.limits(),
        open: Box::new(|tables| {
            context.open_in(game, tables).map_err(|error| Failure::from_error(error).to_string())
        }),
    };
    ugi::run(engine, opened, std::io::stdin(), std::io::stdout())?;
    Ok(Exit::Success)
}

fn analyse(context: &Context, args: &EngineArgs, name: String) -> CommandResult {
    if args.strength != Strength::PERFECT {
        return Err("`engine --json` answers with values and does not support --strength".into());
    }
    // A wrong name is reported now, not with each query.
    match &args.game {
        Some(game) => drop(context.open(game)?),
        None if context.site.is_none() => context.tables.check()?,
        None => {}
    }
    let analysis = analysis::Analysis {
        name,
        game: args.game.clone(),
        limits: args.search.limits(),
        threads: context.threads,
        open: &|name| context.open(name).map_err(|error| Failure::from_error(error).object()),
        describe: |error| Failure::from_error(error.into()).object(),
    };
    let all_answered = analysis::run(&analysis, std::io::stdin(), std::io::stdout())?;
    Ok(if all_answered { Exit::Success } else { Exit::Failure })
}
