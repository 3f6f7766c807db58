//! `stats`: counts the positions of a solved game by outcome and turns to the end, as a histogram
//! or a plot.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use retrograde_draw::{Histogram, HistogramWords, text};
use retrograde_engine::StopSignal;
use retrograde_explore::{AllPositions, Error, FindQuery, OpenGame, Statistics};
use retrograde_game::{Outcome, Seat, Turns};

use crate::commands::games::NumberingCounts;
use crate::commands::shades;
use crate::files::plot_to;
use crate::output::progress::ProgressDisplay;
use crate::output::terminal::say_note;
use crate::output::{
    WIDTH, board, player, plural, print_line, reserve_output, show, thousands, verdict, with_program_name,
    wrapped,
};
use crate::program::args::NumberingArgs;
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult};

/// The time for finding a longest win, which may take hours on a large board without a file of wins.
const EXAMPLE_TIME: Duration = Duration::from_secs(10);

fn histogram(statistics: &Statistics) -> Histogram {
    let turns = |by: &BTreeMap<u16, retrograde_explore::Count>| {
        by.iter().map(|(turns, count)| (Turns(*turns), count.0)).collect()
    };
    let by = &statistics.by_turns;
    // If the table stores only outcomes, this is all of them.
    let rest = |all: u128, by: &BTreeMap<u16, retrograde_explore::Count>| {
        by.values().fold(all, |rest, count| rest.saturating_sub(count.0))
    };
    Histogram {
        title: statistics.game.clone(),
        wins: turns(&by.win),
        losses: turns(&by.loss),
        without_turns: [rest(statistics.wins.0, &by.win), rest(statistics.losses.0, &by.loss)],
        draws: statistics.draws.0,
        unknown: statistics.unknown.map_or(0, |count| count.0),
        words: HistogramWords::OUTCOMES,
        counted: statistics.counted.clone(),
    }
}

/// Count positions by outcome and turns to the end; show the longest win
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  retrograde stats {game}\n  retrograde stats {game} --out stats.svg\n  \
                        retrograde stats touchdown --numbering 24-bit")]
pub(crate) struct StatsArgs {
    /// A game or variant; `games` lists them
    game: String,
    /// Write a plot (.svg or .png)
    #[arg(long, value_name = "FILE", conflicts_with = "numbering")]
    out: Option<PathBuf>,
    /// Also count unreachable positions that the solver left out; the first time, this takes as long
    /// as solving
    #[arg(long, conflicts_with = "numbering")]
    all_positions: bool,
    #[command(flatten)]
    numbering: NumberingArgs,
}

pub(crate) fn run(context: &Context, args: &StatsArgs) -> CommandResult {
    reserve_output(args.out.as_deref())?;
    match args.numbering.name() {
        Some(numbering) => numbering_statistics(context, &args.game, numbering),
        None => statistics(context, args),
    }
}

fn numbering_statistics(context: &Context, game: &str, numbering: &str) -> CommandResult {
    let counts = context.open(game)?.numbering_statistics(numbering)?;
    show(context, &NumberingCounts(counts.iter().cloned().collect()), || {
        counts.iter().try_for_each(|(name, count)| print_line(format!("{name:<18}: {count:>8}")))
    })
}

fn statistics(context: &Context, args: &StatsArgs) -> CommandResult {
    let game = &*context.open(&args.game)?;
    ProgressDisplay::during(|bar| {
        game.count(context.threads, bar)?;
        if args.all_positions { game.count_all(&context.solve_options(), bar) } else { Ok(()) }
    })?;
    let statistics = game.statistics()?;
    for note in &statistics.notes {
        say_note(note);
    }
    if let Some(out) = &args.out {
        plot_to(&histogram(&statistics), out)?;
    }
    show(context, &statistics, || print(context, args, game, &statistics))
}

fn print(
    context: &Context,
    args: &StatsArgs,
    game: &OpenGame,
    statistics: &Statistics,
) -> Result<(), BoxError> {
    print_line(text::histogram(&histogram(statistics), WIDTH, context.color))?;
    if let Some(limits) = limits(statistics) {
        print_line(wrapped(&limits, 0))?;
    }
    print_phases(statistics)?;
    if let Some(shades) = &statistics.shades {
        let all = if statistics.counted.is_some() {
            "Counting all positions, not only plausible ones: "
        } else {
            ""
        };
        print_line(wrapped(&format!("{all}{}", shades::sentence(shades)), 0))?;
    }
    let to_move = game.to_move(&game.start(), Seat::First)?;
    print_line(format!("The start: {} for {}.", verdict(statistics.start), player(game, to_move)))?;
    if let Some((&turns, _)) = statistics.by_turns.win.last_key_value() {
        print_longest_win(context, game, turns, statistics.unknown.is_some())?;
    }
    if let Some(out) = &args.out {
        print_line(format!("The plot is in “{}”.", out.display()))?;
    }
    Ok(())
}

/// Prints a win in `turns` turns, the longest, or how to search for one if that takes long.
fn print_longest_win(
    context: &Context,
    game: &OpenGame,
    turns: u16,
    some_unknown: bool,
) -> Result<(), BoxError> {
    let wanted = FindQuery { outcome: Outcome::Win, turns: Some(turns), random: None, limit: 1 };
    let mut example = None;
    let found = StopSignal::default().bounds(EXAMPLE_TIME).within(|| {
        game.find(&wanted, &mut |found| {
            example = Some(found.position);
            Ok(false)
        })
    });
    let length = plural(turns, "turn");
    let known = if some_unknown { " known" } else { "" };
    match (found, example) {
        (_, Some(position)) => {
            print_line(format!("The longest{known} win, in {length}: {position}"))?;
            print_line(board(context, game, &position, Seat::First, None)?)?;
        }
        (Ok(true), None) => {}
        (Ok(false) | Err(Error::TimedOut), None) => {
            let command =
                format!("retrograde find {} --outcome win --turns {turns}", game.entry.command_name());
            let advice = format!("`{command}` searches for the longest{known} win.");
            print_line(wrapped(&with_program_name(&advice), 0))?;
        }
        (Err(error), None) => return Err(error.into()),
    }
    Ok(())
}

/// Sentences about values that the table does not store.
fn limits(statistics: &Statistics) -> Option<String> {
    let by = &statistics.by_turns;
    let outcomes_only =
        by.win.is_empty() && by.loss.is_empty() && statistics.wins.0 + statistics.losses.0 > 0;
    let mut sentences = Vec::new();
    if outcomes_only {
        sentences.push("The table stores only outcomes, not turns to the end.".to_owned());
    }
    if let (Some(unknown), Some(horizon)) = (statistics.unknown, statistics.horizon) {
        let (unknown, turns) = (thousands(unknown.0), plural(horizon, "turn"));
        sentences.push(format!(
            "The game was solved up to {turns}: the {unknown} undecided positions are drawn or take longer."
        ));
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Prints the phases as a table, if the solver logged them.
fn print_phases(statistics: &Statistics) -> Result<(), BoxError> {
    if statistics.phases.is_empty() {
        return Ok(());
    }
    let counted = statistics.counted.as_deref().unwrap_or("positions");
    let all = statistics.all_positions.as_ref();
    let column = |text: String| if all.is_some() { format!("  {text:>15}") } else { String::new() };
    let more = column("all positions".to_owned());
    let known = statistics.phases.iter().all(|phase| phase.up_to_symmetry.is_some());
    let orbits = if known { "  up to symmetry" } else { "" };
    print_line(format!("\nphase  value   {counted:>19}{orbits}   placements{more}"))?;
    for phase in &statistics.phases {
        let (word, by) = match phase.turns % 2 {
            0 => ("loss", all.map(|all| &all.by_turns.loss)),
            _ => ("win", all.map(|all| &all.by_turns.win)),
        };
        let everywhere = by.and_then(|by| by.get(&phase.turns)).map_or(0, |count| count.0);
        let orbits = phase.up_to_symmetry.filter(|_| known);
        let orbits = orbits.map_or_else(String::new, |orbits| format!(" {:>15}", thousands(orbits.0)));
        print_line(format!(
            "{:5}  {:7} {:>19}{orbits} {:>12}{}",
            i32::from(phase.turns) - 1,
            format!("{word} {}", phase.turns),
            thousands(phase.positions.0),
            thousands(phase.starts.0),
            column(thousands(everywhere))
        ))?;
    }
    if let Some(all) = all {
        let AllPositions { positions, wins, losses, draws, unknown, .. } = all;
        let [positions, wins, losses, draws] =
            [positions, wins, losses, draws].map(|count| thousands(count.0));
        let rest = match unknown {
            Some(unknown) => format!("{} undecided", thousands(unknown.0)),
            None => format!("{draws} drawn"),
        };
        print_line(wrapped(&format!("All {positions} positions: {wins} won, {losses} lost, {rest}."), 0))?;
    }
    print_line("")?;
    Ok(())
}
