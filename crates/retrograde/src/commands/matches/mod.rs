//! `match`: plays games between two players, UGI engines or built-in ones, and judges their turns.

pub(crate) mod answer;
mod records;
mod report;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use retrograde_engine::tournament::{Entrant, Match, Openings, Rulebook, TimeControl, judge, play};
use retrograde_explore::{Error, OpenGame};
use retrograde_solve::Progress;

use crate::files::read_text;
use crate::output::progress::ProgressDisplay;
use crate::output::{show, visitor_error};
use crate::program::args::{PatienceArgs, SeedArgs, number, parse_seconds};
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult, Exit};
use answer::MatchResult;

/// The maximum size of a file of openings in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// Play a match between two players and judge their turns
#[derive(Args, Debug)]
#[command(after_help = "A player that plays an illegal turn, runs out of time or crashes loses the game.\n\
                  A position that occurs for the third time is a draw.\n\nExamples:\n  \
                        retrograde match perfect 3 --game {game} --games 20\n  \
                        retrograde match ./my-engine random --game {game} --records games")]
pub(crate) struct MatchArgs {
    /// A player: perfect, random, a number of turns to look ahead (3, or 3,errs=15%), or the
    /// command line of a UGI engine
    #[arg(value_name = "A")]
    one: Entrant,
    /// The other player
    #[arg(value_name = "B")]
    two: Entrant,
    /// A game or variant; `games` lists them
    #[arg(long)]
    game: String,
    /// Number of games; the players swap sides after each
    #[arg(long, default_value_t = 100, value_parser = number::<u64>(1..=1_000_000, 100))]
    games: u64,
    /// Seconds per turn
    #[arg(long, default_value = "1", value_parser = parse_seconds)]
    time: Duration,
    /// Seconds per game plus seconds added per turn, instead of --time
    #[arg(long, value_name = "SECONDS+SECONDS", conflicts_with = "time")]
    clock: Option<TimeControl>,
    #[command(flatten)]
    patience: PatienceArgs,
    /// Random turns before the players take over; each opening is played twice
    #[arg(long, default_value_t = 2, value_parser = number::<usize>(0..=1000, 2))]
    random_turns: usize,
    /// File with openings, one per line, to use instead of random turns
    #[arg(long, value_name = "FILE", conflicts_with = "random_turns")]
    openings: Option<String>,
    /// Turns after which a game is a draw
    #[arg(long, default_value_t = 500, value_parser = number::<usize>(1..=10_000, 500))]
    max_turns: usize,
    #[command(flatten)]
    seed: SeedArgs,
    /// Folder to save the games in, one record each
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// Do not check the turns against the table
    #[arg(long)]
    no_judge: bool,
}

pub(crate) fn run(context: &Context, args: &MatchArgs) -> CommandResult {
    let game = context.open(&args.game)?;
    let plan = plan(&game, args)?;
    if let Some(folder) = &args.records {
        records::make_folder(folder, plan.games)?;
    }
    let judges = game.has_table() && !args.no_judge;
    let mut result = MatchResult::new(game.name(), &plan, judges);
    ProgressDisplay::during(|bar| {
        bar.stage("playing", plan.games);
        play(&game, &plan, &|| bar.stopped(), &mut |names, finished| {
            let marks = match judges {
                true => judge(&game, &finished, &mut result.judged)?,
                false => Vec::new(),
            };
            let record = match &args.records {
                Some(folder) => {
                    let written = records::write(folder, &game, names, &finished, &marks);
                    Some(written.map_err(visitor_error)?)
                }
                None => None,
            };
            result.add(names, &finished, record);
            bar.advance_saying(&result.score_line());
            Ok(())
        })
    })?;
    show(context, &result.answer(), || report::print(&result))?;
    if result.is_complete() { Ok(Exit::Success) } else { Err(Error::Stopped.into()) }
}

fn plan(game: &OpenGame, args: &MatchArgs) -> Result<Match, BoxError> {
    let openings = match &args.openings {
        Some(file) => {
            let text = read_text("list of openings", file, MAX_BYTES)?;
            Openings::read(game, &text).map_err(|reason| format!("“{file}”: {reason}"))?
        }
        None => Openings::Random { turns: args.random_turns, seed: args.seed.seed },
    };
    let control = args.clock.unwrap_or(TimeControl::Turn(args.time));
    Ok(Match {
        entrants: [args.one.clone(), args.two.clone()],
        games: args.games,
        openings,
        rules: Rulebook { control, margin: args.patience.margin, longest: args.max_turns },
        seed: args.seed.seed,
        timeout: args.patience.timeout,
    })
}
