//! `stats`: a solved game in numbers, as a histogram and as a plot.

use std::fs;
use std::path::Path;

use retrograde_draw::{Histogram, Size, Theme, plot, png, text};
use retrograde_explore::{AllPositions, FindQuery, SolveOptions, Statistics};
use retrograde_game::{Outcome, Seat, Turns};

use super::{Answer, board, print_json, say, with_game};
use crate::output::{WIDTH, count, file_trouble, thousands, verdict, wrapped};
use crate::progress::Bar;
use crate::{Context, Ended, Failure};

fn histogram(statistics: &Statistics) -> Histogram {
    let turns = |by: &std::collections::BTreeMap<u16, retrograde_explore::Count>| {
        by.iter().map(|(turns, count)| (Turns(*turns), count.0)).collect()
    };
    Histogram {
        title: statistics.game.clone(),
        wins: turns(&statistics.by_turns.win),
        losses: turns(&statistics.by_turns.loss),
        draws: statistics.draws.0,
        unknown: statistics.unknown.map_or(0, |count| count.0),
    }
}

/// The statistics of seed 004's numbering.
pub(super) fn seed_numbering(context: &Context, name: &str) -> Answer {
    with_game(context, name, |game| {
        let lines = game.numbering_statistics("seed")?;
        if context.json {
            print_json(&lines.into_iter().collect::<std::collections::BTreeMap<_, _>>())?;
        } else {
            for (what, count) in lines {
                say(format!("{what:<18}: {count:>8}"))?;
            }
        }
        Ok(Ended::Well)
    })
}

/// With `all`, positions that cannot occur are counted as well, in so much memory.
pub(super) fn stats(context: &Context, name: &str, out: Option<&Path>, all: Option<Option<u64>>) -> Answer {
    with_game(context, name, |game| {
        let bar = Bar::new();
        let options = |memory| SolveOptions { threads: context.threads, memory, ..SolveOptions::default() };
        let counted = game
            .count(context.threads, &bar)
            .and_then(|()| all.map_or(Ok(()), |memory| game.count_all(&options(memory), &bar)));
        bar.finish();
        counted?;
        let statistics = game.statistics()?;
        if let Some(out) = out {
            plot_to(&statistics, out)?;
        }
        if context.json {
            print_json(&statistics)?;
            return Ok(Ended::Well);
        }
        say(text::histogram(&histogram(&statistics), WIDTH, context.color))?;
        say_phases(&statistics)?;
        say(format!("The start: {} for the first player.", verdict(statistics.start)))?;
        if let Some((&turns, _)) = statistics.by_turns.win.last_key_value() {
            let wanted = FindQuery { outcome: Outcome::Win, turns: Some(turns), random: None, limit: 1 };
            let mut example = None;
            game.find(&wanted, &mut |found| {
                example = Some(found.position);
                Ok(false)
            })?;
            if let Some(position) = example {
                say(format!("A longest win, in {}: {position}", count(turns.into(), "turn", "turns")))?;
                say(board(context, game, &position, Seat::First, None)?)?;
            }
        }
        if let Some(out) = out {
            say(format!("The plot is in “{}”.", out.display()))?;
        }
        Ok(Ended::Well)
    })
}

/// The phases of a solver that logs them, as a table.
fn say_phases(statistics: &Statistics) -> Result<(), Failure> {
    if statistics.phases.is_empty() {
        return Ok(());
    }
    let counted = statistics.counted.as_deref().unwrap_or("positions");
    let all = statistics.all_positions.as_ref();
    let column = |text: String| if all.is_some() { format!("  {text:>15}") } else { String::new() };
    let more = column("all positions".to_owned());
    say(format!("\nphase  ends in {counted:>19}  up to symmetry   placements{more}"))?;
    for phase in &statistics.phases {
        let (word, by) = match phase.turns % 2 {
            0 => ("loss", all.map(|all| &all.by_turns.loss)),
            _ => ("win", all.map(|all| &all.by_turns.win)),
        };
        let everywhere = by.and_then(|by| by.get(&phase.turns)).map_or(0, |count| count.0);
        say(format!(
            "{:5}  {:7} {:>19} {:>15} {:>12}{}",
            i32::from(phase.turns) - 1,
            format!("{word} {}", phase.turns),
            thousands(phase.positions.0),
            thousands(phase.up_to_symmetry.0),
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
        say(wrapped(&format!("All {positions} positions: {wins} won, {losses} lost, {rest}."), 0))?;
    }
    say("")?;
    Ok(())
}

fn plot_to(statistics: &Statistics, out: &Path) -> Result<(), Failure> {
    let svg = plot::histogram_svg(&histogram(statistics), Theme::Light, 1.0);
    let bytes = match out.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => svg.into_bytes(),
        Some("png") => png(&svg, Size::Scale(2.0))?,
        _ => return Err(format!("“{}” ends neither in .svg nor in .png", out.display()).into()),
    };
    write_file(out, &bytes)
}

/// Writes a file whole or not at all, with an error that names it.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed =
        |error: std::io::Error| format!("cannot write “{}”: {}", path.display(), file_trouble(path, &error));
    let name = path.file_name().ok_or_else(|| format!("“{}” names no file", path.display()))?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(".partial");
    let temporary = path.with_file_name(hidden);
    fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path)).map_err(|error| {
        // What could not be written whole must not lie about.
        let _ = fs::remove_file(&temporary);
        failed(error)
    })?;
    Ok(())
}
