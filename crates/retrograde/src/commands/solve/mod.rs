//! `solve`: solves games, writes their tables, and shows who wins and how.

pub(crate) mod args;
#[cfg(feature = "cluster")]
mod cluster;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use retrograde_explore::{AnyGame, OpenGame, SearchLimits, SolveOptions, SolveResult, Statistics, Verdict};
use retrograde_game::Seat;

use crate::files::TableFolder;
use crate::output::columns::side_by_side;
use crate::output::failure::Failure;
use crate::output::progress::ProgressDisplay;
use crate::output::terminal::say;
use crate::output::{
    board, bytes, painted_verdict, player, print_json, print_line, seconds, sentence, thousands, wrapped,
};
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult, Exit};
use args::SolveArgs;

/// The default games. A program without them solves the first example of each family.
const DEFAULT_GAMES: [&str; 3] = ["tactics", "touchdown", "pushfight:mini"];
/// Runs longer than this many seconds are announced.
const ANNOUNCED: f64 = 5.0;
/// The number of turns of the best line to draw.
const DRAWN: usize = 3;

/// The default games: [`DEFAULT_GAMES`], or the first example of each family if the registry lacks
/// all of them.
fn default_games(context: &Context) -> Vec<String> {
    let families = &context.registry.families;
    let known = |name: &&&str| {
        let family = name.split(':').next().unwrap_or("");
        families.iter().any(|known| known.name == family)
    };
    let names: Vec<String> = DEFAULT_GAMES.iter().filter(known).map(|name| (*name).to_owned()).collect();
    if names.is_empty() {
        return families.iter().filter_map(|family| family.examples.first()).cloned().collect();
    }
    names
}

/// Adds to the error of a stopped solve what the same command will do next.
fn explained(
    error: BoxError,
    (tables, subject): (&Path, &Arc<AnyGame>),
    options: &SolveOptions,
    process: Option<usize>,
) -> BoxError {
    let Some(stopped) = Failure::of_signal(&*error) else { return error };
    let saved = subject.has_saved_work(tables, options, process);
    let next = match (saved, options.again) {
        (true, false) => "the same command resumes from what was saved",
        // Beside a table, a solve without `--again` would remove it.
        (true, true) if subject.explore(tables).is_ok_and(|game| !game.has_table()) => {
            "without --again, the same command resumes from what was saved"
        }
        (true, true) => "the same command starts over",
        (false, _) => "nothing was saved, so the same command starts over",
    };
    Failure::new("stopped", format!("{stopped}; {next}")).into()
}

pub(crate) fn run(context: &Context, args: &SolveArgs) -> CommandResult {
    let names = if args.games.is_empty() { default_games(context) } else { args.games.clone() };
    for (number, name) in names.iter().enumerate() {
        #[cfg(feature = "cluster")]
        if let Some(processes) = args.cluster.processes {
            cluster::processes::solve_on_this_machine(context, name, args, processes.into())?;
            continue;
        }
        #[cfg(feature = "cluster")]
        let process = args.cluster.process.map(cluster::number_of).transpose()?;
        #[cfg(not(feature = "cluster"))]
        let process = None;
        solve_one(context, name, args, process, number > 0 && process.is_none())?;
    }
    Ok(Exit::Success)
}

/// Solves a game in this process, or as one of several processes with this number.
fn solve_one(
    context: &Context,
    name: &str,
    args: &SolveArgs,
    process: Option<usize>,
    follows: bool,
) -> Result<(), BoxError> {
    let subject = context.subject(name)?;
    let began = Instant::now();
    let options = args.options(context);
    let folder = context.tables.for_solving(&subject, &options)?;
    let game = (folder, &subject);
    if process.is_none() {
        announce(folder, &subject, &options)?;
    }
    let solved = ProgressDisplay::during(|bar| match process {
        #[cfg(feature = "cluster")]
        Some(process) => cluster::solve_as_one(context, game, &options, &args.cluster, process, bar),
        _ => Ok(Some(subject.solve(folder, &options, bar)?)),
    });
    match solved.map_err(|error| explained(error, game, &options, process))? {
        Some(statistics) if context.json => print_json(&statistics),
        Some(statistics) => {
            if follows {
                print_line("")?;
            }
            report(context, game, &statistics, began.elapsed().as_secs_f64())
        }
        None => {
            let process = process.unwrap_or_default();
            say(format!("process {process}: done; process 0 has the table in its folder."));
            Ok(())
        }
    }
}

/// Announces a long run on standard error; standard output is for answers. `solve` itself rejects a
/// run that does not fit the disk.
fn announce(folder: &Path, subject: &Arc<AnyGame>, options: &SolveOptions) -> Result<(), BoxError> {
    let plan = subject.plan(options);
    if !options.again && subject.explore(folder).is_ok_and(|game| game.has_table()) {
        return Ok(());
    }
    let folder = TableFolder::of(folder, &plan);
    if plan.fits && plan.seconds.is_some_and(|time| time > ANNOUNCED) {
        let free = folder.free.map_or_else(String::new, |free| format!(", with {} free", bytes(free.into())));
        let text = format!(
            "{}: about {}, {} of memory and {} of disk in “{}”{free}.",
            plan.game,
            seconds(plan.seconds.unwrap_or(0.0)),
            bytes(plan.memory.0),
            bytes(plan.disk.0 + plan.work.0),
            folder.path
        );
        say(wrapped(&text, 2));
    }
    Ok(())
}

/// Prints the counts of a solved game, the winner, and a best line.
fn report(
    context: &Context,
    (folder, subject): (&Path, &Arc<AnyGame>),
    statistics: &Statistics,
    took: f64,
) -> Result<(), BoxError> {
    let heading = format!("{} ", statistics.game);
    print_line(format!("{heading}{}", "─".repeat(72_usize.saturating_sub(heading.chars().count()))))?;
    // Undecided positions may be draws.
    let draws = match (statistics.draws.0, statistics.unknown) {
        (0, Some(_)) => String::new(),
        (draws, _) => format!(", {} draws", thousands(draws)),
    };
    let counts = format!(
        "{} {}: {} wins, {} losses{draws} for the side to move{}",
        thousands(statistics.positions.0),
        statistics.counted.as_deref().unwrap_or("positions"),
        thousands(statistics.wins.0),
        thousands(statistics.losses.0),
        match (statistics.unknown, statistics.horizon) {
            (None, _) => String::new(),
            (Some(n), None) => format!(", {} undecided", thousands(n.0)),
            (Some(n), Some(horizon)) => {
                format!(", {} undecided after {horizon} turns", thousands(n.0))
            }
        },
    );
    print_line(wrapped(&counts, 2))?;
    let shown = folder.display();
    // As in the table: this run may have resumed an earlier one.
    let all = statistics.seconds.unwrap_or(took);
    let done = match statistics.result {
        Some(SolveResult::AlreadySolved) => {
            let solved = statistics.seconds.map(|all| format!(" (solved in {})", seconds(all)));
            format!(
                "There is already a complete table in “{shown}”{}; use --again to solve again.",
                solved.unwrap_or_default()
            )
        }
        Some(SolveResult::WinsAdded) => format!("The wins were added in {}.", seconds(took)),
        Some(SolveResult::Repaired) => {
            format!("The table was damaged; solved again in {}; it is in “{shown}”.", seconds(all))
        }
        Some(SolveResult::Solved) | None => {
            format!("Solved in {}; the table is in “{shown}”.", seconds(all))
        }
    };
    print_line(wrapped(&done, 2))?;
    report_line(context, &subject.explore(folder)?, statistics)
}

/// Prints the winner and a best line, with boards for its first positions.
fn report_line(context: &Context, game: &OpenGame, statistics: &Statistics) -> Result<(), BoxError> {
    // In a drawn game the line never ends.
    let max_turns = if statistics.start.outcome == "draw" { DRAWN } else { 200 };
    let line = game.line(&game.start(), Seat::First, max_turns, &SearchLimits::default())?;
    let to_move = game.to_move(&line.position, Seat::First)?;
    let (winner, outcome) = match line.verdict.outcome {
        "loss" => (to_move.other(), "win"),
        outcome => (to_move, outcome),
    };
    let for_winner = Verdict { outcome, turns: line.verdict.turns };
    print_line(wrapped(&sentence(game, &player(game, winner), for_winner), 0))?;
    if line.line.is_empty() {
        return Ok(());
    }
    print_line("\nA best line begins:")?;
    let mut columns = Vec::new();
    for (number, step) in line.line.iter().take(DRAWN).enumerate() {
        let seat = Seat::from(step.to_move);
        let mut rows: Vec<String> = vec![
            format!("{}. {},", number + 1, seat.name()),
            format!("   {}:", painted_verdict(context, step.verdict, 0)),
            format!("   {}", step.turn_on_board),
        ];
        let drawn = board(context, game, &step.position, seat, Some(&step.turn))?;
        rows.extend(drawn.lines().map(str::to_owned));
        columns.push(rows);
    }
    for row in side_by_side(&columns) {
        print_line(row)?;
    }
    let rest: Vec<&str> = line.line.iter().skip(DRAWN).map(|step| &step.turn_on_board[..]).collect();
    if !rest.is_empty() {
        let more = rest.len().saturating_sub(12);
        let tail = if more > 0 { format!(" … and {more} more turns") } else { String::new() };
        print_line(wrapped(&format!("then {}{tail}", rest[..rest.len() - more].join(" ")), 2))?;
    }
    Ok(())
}
