//! `solve`: solves games, writes their tables, and shows who wins and how.

use std::io::Write;

use retrograde_explore::{SearchLimits, SolveOptions, Statistics};
use retrograde_game::Seat;

use super::games::{Place, options};
use super::{Answer, board, print_json, say, subject};
use crate::cli::How;
use crate::output::{WIDTH, bytes, player, seconds, sentence, thousands, verdict, wrapped};
use crate::progress::Bar;
use crate::{Context, Ended, Failure};

/// What is solved when nothing is named; a program with other games solves the first example of each.
const USUAL: [&str; 3] = ["tactics", "touchdown", "pushfight:mini"];
/// Solving that takes more seconds is announced.
const LONG: f64 = 5.0;
/// Turns of the best line that are drawn.
const SHOWN: usize = 3;

pub(super) fn solve(
    context: &Context,
    games: &[String],
    how: &How,
    again: bool,
    keep_work: bool,
    #[cfg(feature = "cluster")] cluster: &crate::cli::cluster::ClusterArgs,
) -> Answer {
    let mut names: Vec<String> = games.to_vec();
    if names.is_empty() {
        let known = |name: &&&str| {
            let family = name.split(':').next().unwrap_or("");
            context.registry.families().iter().any(|known| known.name == family)
        };
        names = USUAL.iter().filter(known).map(|name| (*name).to_owned()).collect();
    }
    if names.is_empty() {
        let first = context.registry.families().iter().filter_map(|family| family.examples.first());
        names = first.cloned().collect();
    }
    let several = names.len() > 1;
    for (number, name) in names.iter().enumerate() {
        #[cfg(feature = "cluster")]
        if let Some(processes) = cluster.processes {
            let flags = (again, keep_work);
            super::processes::solve_on_this_machine(context, name, how, flags, cluster, processes.into())?;
            continue;
        }
        let subject = subject(context, name)?;
        let bar = Bar::new();
        let began = std::time::Instant::now();
        let options = SolveOptions { keep_work, ..options(context, how, again) };
        #[cfg(feature = "cluster")]
        if let Some(process) = cluster.process {
            let solved = super::cluster::solve_as_one(context, &*subject, &options, cluster, &bar);
            bar.finish();
            match solved? {
                Some(statistics) if context.json => print_json(&statistics)?,
                Some(statistics) => {
                    report(context, &*subject, &statistics, began.elapsed().as_secs_f64(), false)?;
                }
                None => super::cluster::done(process, &context.tables)?,
            }
            continue;
        }
        announce(context, &*subject, &options)?;
        let solved = subject.solve(&context.tables, &options, &bar);
        bar.finish();
        let statistics = solved?;
        if context.json {
            print_json(&statistics)?;
            continue;
        }
        if several && number > 0 {
            say("")?;
        }
        report(context, &*subject, &statistics, began.elapsed().as_secs_f64(), how.with_wins)?;
    }
    Ok(Ended::Well)
}

/// Announces what takes long, on standard error, for answers stand on the other. Where the disk has no room
/// nothing is begun: `solve` itself says so.
fn announce(
    context: &Context,
    subject: &dyn retrograde_explore::AnyGame,
    options: &SolveOptions,
) -> Result<(), Failure> {
    let plan = subject.plan(options);
    if !options.again && subject.explore(&context.tables).is_ok_and(|game| game.has_table()) {
        return Ok(());
    }
    let place = Place::of(&context.tables);
    if plan.fits && plan.seconds.is_some_and(|time| time > LONG) {
        let free =
            place.free.map_or_else(String::new, |free| format!(", where {} are free", bytes(free.into())));
        let text = format!(
            "{}: about {}, {} of memory, {} of disk in “{}”{free}.",
            plan.game,
            seconds(plan.seconds.unwrap_or(0.0)),
            bytes(plan.memory.0),
            bytes(plan.disk.0 + plan.work.0),
            place.folder
        );
        writeln!(std::io::stderr(), "{}", wrapped(&text, 2))?;
    }
    Ok(())
}

fn report(
    context: &Context,
    subject: &dyn retrograde_explore::AnyGame,
    statistics: &Statistics,
    took: f64,
    with_wins: bool,
) -> Result<(), Failure> {
    let heading = format!("{} ", statistics.game);
    say(format!("{heading}{}", "─".repeat(72_usize.saturating_sub(heading.chars().count()))))?;
    let counts = format!(
        "{} {}: {} wins, {} losses, {} draws for the side to move{}",
        thousands(statistics.positions.0),
        statistics.counted.as_deref().unwrap_or("positions"),
        thousands(statistics.wins.0),
        thousands(statistics.losses.0),
        thousands(statistics.draws.0),
        statistics.unknown.map_or_else(String::new, |n| format!(", {} undecided", thousands(n.0))),
    );
    say(wrapped(&counts, 2))?;
    if took + 0.5 < statistics.seconds {
        // The wins may have been made just now.
        let wins = if with_wins { ", with wins" } else { "" };
        say(format!(
            "There is a table already{wins} (solved in {}); --again solves anew.",
            seconds(statistics.seconds)
        ))?;
    } else {
        say(format!("Solved and written below “{}” in {}.", context.tables.display(), seconds(took)))?;
    }
    let game = subject.explore(&context.tables)?;
    // A drawn game has no end to lead to.
    let most = if statistics.start.outcome == "draw" { SHOWN } else { 200 };
    let line = game.line(&game.start(), Seat::First, most, &SearchLimits::default())?;
    let who = match line.verdict.outcome {
        "loss" => ("second", "win"),
        _ => ("first", line.verdict.outcome),
    };
    let for_winner = retrograde_explore::Verdict { outcome: who.1, turns: line.verdict.turns };
    say(sentence(&player(who.0), for_winner))?;
    if line.line.is_empty() {
        return Ok(());
    }
    say("\nA best line begins:")?;
    let mut columns = Vec::new();
    for (number, step) in line.line.iter().take(SHOWN).enumerate() {
        let seat = if step.to_move == "second" { Seat::Second } else { Seat::First };
        let mut rows: Vec<String> = vec![
            format!("{}. {} player,", number + 1, step.to_move),
            format!("   {}:", verdict(step.verdict)),
            format!("   {}", step.turn_on_board),
        ];
        let drawn = board(context, &*game, &step.position, seat, Some(&step.turn))?;
        rows.extend(drawn.lines().map(str::to_owned));
        columns.push(rows);
    }
    for row in side_by_side(&columns) {
        say(row)?;
    }
    let rest: Vec<&str> = line.line.iter().skip(SHOWN).map(|step| &step.turn_on_board[..]).collect();
    if !rest.is_empty() {
        let more = rest.len().saturating_sub(12);
        let tail = if more > 0 { format!(" … and {more} more turns") } else { String::new() };
        say(wrapped(&format!("then {}{tail}", rest[..rest.len() - more].join(" ")), 2))?;
    }
    Ok(())
}

/// Width on a terminal: escape sequences take none.
fn width(text: &str) -> usize {
    let mut count = 0;
    let mut escaped = false;
    for c in text.chars() {
        match (escaped, c) {
            (false, '\u{1b}') => escaped = true,
            (true, 'm') => escaped = false,
            (true, _) => {}
            (false, _) => count += 1,
        }
    }
    count
}

/// Columns of text beside each other, as many as 80 columns take; the rest below.
fn side_by_side(columns: &[Vec<String>]) -> Vec<String> {
    const GAP: usize = 3;
    let mut rows = Vec::new();
    let mut rest = columns;
    while !rest.is_empty() {
        let widths: Vec<usize> =
            rest.iter().map(|c| c.iter().map(|row| width(row)).max().unwrap_or(0)).collect();
        let (mut fit, mut total) = (1, widths[0]);
        while fit < rest.len() && total + GAP + widths[fit] <= WIDTH {
            total += GAP + widths[fit];
            fit += 1;
        }
        let height = rest[..fit].iter().map(Vec::len).max().unwrap_or(0);
        for row in 0..height {
            let mut line = String::new();
            for (column, wide) in rest[..fit].iter().zip(&widths) {
                let text = column.get(row).map_or("", String::as_str);
                line.push_str(text);
                line.push_str(&" ".repeat(wide - width(text) + GAP));
            }
            rows.push(line.trim_end().to_owned());
        }
        rest = &rest[fit..];
    }
    rows
}
