//! `probe`: shows the value of a position and of its turns; with `--pressure`, how many of them
//! hold.

use clap::Args;
use retrograde_engine::{MAX_INPUT_LENGTH, next_line};
use retrograde_explore::{ListPage, OpenGame, Pressure, Probe, SearchLimits, Source, TurnsByOutcome};
use retrograde_game::{Seat, system_reason};

use crate::commands::shades::{of_position, of_turn};
use crate::output::failure::Failure;
use crate::output::{
    board, painted_verdict, player, plural, print_json, print_line, show, thousands, to_move_sentence,
    verdict, with_program_name, wrapped,
};
use crate::program::args::SearchArgs;
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult, Exit};

/// Turns listed without --all.
const MAX_LISTED: usize = 20;

/// Show the value of a position and of every turn, best first
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  retrograde probe {game}\n  retrograde probe touchdown '...O/..O./..../.XX.'\n  \
                        retrograde probe {game} --pressure\n  \
                        retrograde probe {game} - --json < positions.txt"
)]
pub(crate) struct ProbeArgs {
    /// A game or variant; `games` lists them
    game: String,
    /// The position, seen by the side to move; `-` reads one per line from standard input [default:
    /// the start]
    position: Option<String>,
    #[command(flatten)]
    search: SearchArgs,
    /// List every turn
    #[arg(long)]
    all: bool,
    /// For an impartial game in normal play, show nimbers
    #[arg(long, conflicts_with = "pressure")]
    nimbers: bool,
    /// For each turn that keeps the outcome, count the replies that keep it too, fewest first
    #[arg(long)]
    pressure: bool,
}

pub(crate) fn run(context: &Context, args: &ProbeArgs) -> CommandResult {
    let limits = args.search.limits();
    let game = &*context.open(&args.game)?;
    if args.position.as_deref() == Some("-") {
        let option = match (args.all, args.nimbers, args.pressure) {
            (true, ..) => "--all lists turns",
            (_, true, _) => "--nimbers shows nimbers",
            (.., true) => "--pressure counts replies",
            _ => "",
        };
        if !option.is_empty() && !context.json {
            return Err(format!(
                "{option} only for a single position, or with --json; for several, only values are printed"
            )
            .into());
        }
        return probe_lines(context, game, &limits, args);
    }
    let position = args.position.clone().unwrap_or_else(|| game.start());
    if args.pressure {
        let pressure = game.pressure(&position, Seat::First, ListPage::ALL, &limits)?;
        let verdict = pressure.position.verdict;
        show(context, &pressure, || describe_pressure(context, game, &pressure, args.all))?;
        return Ok(Exit::of_value(verdict));
    }
    let mut probe = game.probe(&position, Seat::First, &limits)?;
    if args.nimbers {
        game.add_nimbers(&mut probe, &limits)?;
    }
    show(context, &probe, || describe(context, game, &probe, args.all))?;
    Ok(Exit::of_value(probe.position.verdict))
}

/// Probes positions from standard input, one per line. An unreadable line is reported and skipped.
fn probe_lines(context: &Context, game: &OpenGame, limits: &SearchLimits, args: &ProbeArgs) -> CommandResult {
    let mut ended = Exit::Success;
    let mut input = std::io::stdin().lock();
    for number in 1_usize.. {
        let line = next_line(&mut input, MAX_INPUT_LENGTH)
            .map_err(|error| format!("line {number}: {}", system_reason(&error)))?;
        let Some(line) = line else { break };
        let line = match line {
            Ok(line) => line,
            Err(reason) => {
                Failure::from_error(reason.into()).at_line(number).print(context.json);
                ended = Exit::Failure;
                continue;
            }
        };
        let text = line.trim();
        if text.is_empty() {
            continue;
        }
        let answered = if context.json && args.pressure {
            let pressure = game.pressure(text, Seat::First, ListPage::ALL, limits);
            pressure.map(|pressure| print_json(&pressure))
        } else if context.json {
            let mut probed = game.probe(text, Seat::First, limits);
            if let (Ok(probe), true) = (&mut probed, args.nimbers) {
                game.add_nimbers(probe, limits)?;
            }
            probed.map(|probe| print_json(&probe))
        } else {
            game.value(text, limits).map(|(value, _)| print_line(format!("{text}\t{}", verdict(value))))
        };
        match answered {
            Ok(printed) => printed?,
            Err(error) => {
                Failure::from_error(error.into()).at_line(number).print(context.json);
                ended = Exit::Failure;
            }
        }
    }
    Ok(ended)
}

fn describe(context: &Context, game: &OpenGame, probe: &Probe, all: bool) -> Result<(), BoxError> {
    print_line(board(context, game, &probe.position.text, Seat::First, None)?)?;
    print_line(&probe.position.text)?;
    let from = match probe.position.source {
        Source::Table => "from the table".to_owned(),
        Source::Search => {
            let nodes =
                probe.nodes.map_or_else(String::new, |n| format!(" of {} positions", thousands(n.into())));
            match (probe.nodes, probe.position.verdict.outcome) {
                // The sentence says already that it is a search.
                (Some(nodes), "unknown") => format!("{} positions searched", thousands(nodes.into())),
                _ => format!("from a search{nodes}"),
            }
        }
        Source::Rules => "the game is over".to_owned(),
        Source::Published => "from published results".to_owned(),
    };
    print_line(wrapped(
        &format!(
            "{} ({from})",
            to_move_sentence(game, &player(game, Seat::from(probe.position.to_move)), probe.position.verdict)
        ),
        0,
    ))?;
    if let Some(nimber) = probe.nimber {
        print_line(wrapped(&format!("Its nimber is {nimber}: it equals a Nim heap of that size."), 0))?;
    }
    if let Some(shade) = probe.position.shade {
        let who = player(game, Seat::from(probe.position.to_move));
        print_line(wrapped(&of_position(&who, shade), 0))?;
    }
    if probe.position.verdict.outcome == "unknown" && !game.has_table() {
        let folders: Vec<String> =
            context.tables.all().iter().map(|folder| format!("“{}”", folder.display())).collect();
        let folders = folders.join(" or ");
        print_line(wrapped(
            &match context.site {
                None => format!(
                    "There is no table of {} in {folders}; {} shows what solving it takes.",
                    game.name(),
                    with_program_name(&format!("`retrograde plan {}`", game.entry.command_name())),
                ),
                Some(_) => format!("There is no table of {game} on {folders}.", game = game.name()),
            },
            0,
        ))?;
    }
    let turns = &probe.turns_available;
    if turns.is_empty() && !probe.incomplete {
        return Ok(());
    }
    let number = plural(turns.len(), "turn");
    print_line(match probe.incomplete {
        true => format!("\n{number}, and possibly more (stopped by --time or --nodes):"),
        false => format!("\n{number}:"),
    })?;
    print_list(
        all,
        turns.iter().map(|turn| {
            let value = painted_verdict(context, turn.verdict, 0);
            let leaves = turn.nimber.map_or_else(String::new, |nimber| format!(", leaves nimber {nimber}"));
            let shade = turn.shade.map_or_else(String::new, |shade| format!(" ({})", of_turn(shade)));
            (&*turn.turn_on_board, format!("{value}{shade}{leaves}"))
        }),
    )
}

/// Prints turns, each with a text about it; only the first [`MAX_LISTED`] unless `all` is set.
fn print_list<'a>(
    all: bool,
    mut turns: impl ExactSizeIterator<Item = (&'a str, String)>,
) -> Result<(), BoxError> {
    let shown: Vec<_> = turns.by_ref().take(if all { usize::MAX } else { MAX_LISTED }).collect();
    let wide = shown.iter().map(|(turn, _)| turn.chars().count()).max().unwrap_or(0);
    for (turn, text) in shown {
        print_line(format!("  {turn:<wide$}  {text}"))?;
    }
    match turns.len() {
        0 => Ok(()),
        more => print_line(format!("  … and {} more (--all)", thousands(more as u128))),
    }
}

/// Prints how many turns hold, and how many replies each leaves; the fewest first.
fn describe_pressure(
    context: &Context,
    game: &OpenGame,
    pressure: &Pressure,
    all: bool,
) -> Result<(), BoxError> {
    print_line(board(context, game, &pressure.position.text, Seat::First, None)?)?;
    print_line(&pressure.position.text)?;
    let [who, other] = [Seat::First, Seat::Second].map(|seat| player(game, seat));
    print_line(wrapped(&to_move_sentence(game, &who, pressure.position.verdict), 0))?;
    if let Some(shade) = pressure.position.shade {
        print_line(wrapped(&of_position(&who, shade), 0))?;
    }
    let TurnsByOutcome { all: turns, unknown, .. } = pressure.turns_by_outcome;
    if turns == 0 {
        return Ok(());
    }
    if pressure.position.verdict.known().is_none() {
        return print_line("It is not known how many turns keep the outcome.");
    }
    if pressure.incomplete {
        print_line(wrapped("The count is incomplete: it was stopped by --time or --nodes.", 0))?;
    }
    let verb = keeping(pressure.position.verdict.outcome, pressure.holding);
    let turns = plural(turns, "turn");
    let rest = match unknown {
        0 => String::new(),
        unknown => format!(" For {} more it is unknown.", thousands(unknown.into())),
    };
    print_line(wrapped(&format!("{} of {turns} {verb}.{rest}", thousands(pressure.holding.into())), 0))?;
    let mut list: Vec<_> = pressure.holding_turns.iter().collect();
    // After a winning turn all replies lose, so none can hold.
    if list.is_empty() || pressure.position.verdict.outcome == "win" {
        return Ok(());
    }
    // The sort is stable: turns with equally many replies stay in order of value.
    list.sort_by_key(|turn| turn.holding);
    print_line(format!("\nReplies of {other} that hold:"))?;
    print_list(
        all,
        list.iter().map(|turn| {
            let replies =
                format!("{} of {}", thousands(turn.holding.into()), thousands(turn.replies.all.into()));
            let only = turn.only_reply.as_ref().map_or_else(String::new, |reply| format!(": {reply}"));
            let shade = turn.shade.map_or_else(String::new, |shade| format!(" ({})", of_turn(shade)));
            (&*turn.turn_on_board, format!("{replies}{only}{shade}"))
        }),
    )
}

/// The verb for turns that keep an outcome.
fn keeping(outcome: &str, turns: u64) -> &'static str {
    match (outcome, turns) {
        ("win", 1) => "wins",
        ("win", _) => "win",
        ("loss", 1) => "loses",
        ("loss", _) => "lose",
        (_, 1) => "holds the draw",
        _ => "hold the draw",
    }
}
