//! `probe`: the value of a position and of its turns.

use std::io::BufRead;

use clap::Args;
use retrograde_explore::request::{ProbeRequest, Request};
use retrograde_explore::{Explore, ListPage, Probe, SearchLimits, Source};
use retrograde_game::{Seat, system_reason};

use crate::args::SearchArgs;
use crate::context::{BoxError, CommandResult, Context, Exit};
use crate::failure::Failure;
use crate::output::{
    board, count, painted_verdict, player, print_json, print_line, thousands, to_move_sentence, verdict,
    wrapped,
};

/// Turns listed without --all.
const MAX_LISTED: usize = 20;

/// The options of `probe`.
#[derive(Args, Debug)]
pub(crate) struct ProbeArgs {
    /// A game, such as touchdown:5x4
    game: String,
    /// The position, seen by the side to move; `-` reads one a line from standard input [default:
    /// the start]
    position: Option<String>,
    #[command(flatten)]
    search: SearchArgs,
    /// List every turn
    #[arg(long)]
    all: bool,
    /// Of an impartial game in normal play: tell nimbers
    #[arg(long)]
    nimbers: bool,
}

pub(crate) fn run(context: &Context, args: &ProbeArgs) -> CommandResult {
    let limits = args.search.limits();
    context.with_game(&args.game, |game| {
        if args.position.as_deref() == Some("-") {
            let detail = if args.all { "--all" } else { "--nimbers" };
            if (args.all || args.nimbers) && !context.json {
                let reason = "tells more of one position; of many only the values are printed";
                return Err(format!("{detail} {reason}").into());
            }
            return probe_lines(context, game, &limits, args.nimbers);
        }
        let request = ProbeRequest {
            position: args.position.clone(),
            to_move: Seat::First,
            begun: Vec::new(),
            page: ListPage::ALL,
            nimbers: args.nimbers,
        };
        let probe = request.answer(game, &limits)?;
        if context.json {
            print_json(&probe)?;
        } else {
            describe(context, game, &probe, args.all)?;
        }
        Ok(Exit::of_value(probe.verdict))
    })
}

/// Probes positions from standard input, one a line. Reports an unreadable line and skips it.
fn probe_lines(context: &Context, game: &dyn Explore, limits: &SearchLimits, nimbers: bool) -> CommandResult {
    let mut ended = Exit::Success;
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line.map_err(|error| format!("line {}: {}", number + 1, system_reason(&error)))?;
        let text = line.trim();
        if text.is_empty() {
            continue;
        }
        let answered = if context.json {
            let mut probed = game.probe(text, Seat::First, limits);
            if let (Ok(probe), true) = (&mut probed, nimbers) {
                game.add_nimbers(probe, limits)?;
            }
            probed.map(|probe| print_json(&probe))
        } else {
            game.value(text, limits).map(|(value, _)| print_line(format!("{text}\t{}", verdict(value))))
        };
        match answered {
            Ok(printed) => printed?,
            Err(error) => {
                Failure::from_error(error.into()).at_line(number + 1).print(context.json);
                ended = Exit::Failure;
            }
        }
    }
    Ok(ended)
}

fn describe(context: &Context, game: &dyn Explore, probe: &Probe, all: bool) -> Result<(), BoxError> {
    print_line(board(context, game, &probe.position, Seat::First, None)?)?;
    print_line(&probe.position)?;
    let from = match probe.source {
        Source::Table => "from the table".to_owned(),
        Source::Search => {
            let nodes =
                probe.nodes.map_or_else(String::new, |n| format!(" of {} positions", thousands(n.into())));
            format!("from a search{nodes}")
        }
        Source::Rules => "the game is over".to_owned(),
    };
    print_line(wrapped(
        &format!("{} ({from})", to_move_sentence(&player(game, Seat::First), probe.verdict)),
        0,
    ))?;
    if let Some(nimber) = probe.nimber {
        print_line(wrapped(&format!("It is worth a heap of {nimber} in Nim: its nimber."), 0))?;
    }
    if probe.verdict.outcome == "unknown" && !game.has_table() {
        let tables = context.tables.display();
        print_line(wrapped(
            &match context.site {
                None => format!("There is no table of it in “{tables}”; see `retrograde plan`."),
                Some(_) => format!("There is no table of it on “{tables}”."),
            },
            0,
        ))?;
    }
    let turns = &probe.turns_available;
    if turns.is_empty() {
        return Ok(());
    }
    print_line(format!("\n{}:", count(turns.len() as u128, "turn", "turns")))?;
    let shown = if all { turns.len() } else { MAX_LISTED.min(turns.len()) };
    let wide = turns[..shown].iter().map(|turn| turn.turn_on_board.chars().count()).max().unwrap_or(0);
    for turn in &turns[..shown] {
        let value = painted_verdict(context, turn.verdict, 0);
        let leaves = turn.nimber.map_or_else(String::new, |nimber| format!(", leaves a nimber of {nimber}"));
        print_line(format!("  {:<wide$}  {value}{leaves}", turn.turn_on_board))?;
    }
    if shown < turns.len() {
        print_line(format!("  … and {} more (--all)", thousands((turns.len() - shown) as u128)))?;
    }
    Ok(())
}
