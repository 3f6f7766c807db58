//! `shades`: finds who presses in the draws of a solved game, counts and plots them.

use std::path::PathBuf;

use clap::Args;
use retrograde_draw::{Histogram, HistogramWords, text};
use retrograde_explore::{Count, Error, LevelOfShades, ShadeOfDraw, ShadeStatistics, SolveOptions};
use retrograde_game::{Seat, Turns};

use crate::files::plot_to;
use crate::output::progress::ProgressDisplay;
use crate::output::{WIDTH, player, plural, print_json, print_line, reserve_output, thousands, wrapped};
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult, Exit};

/// Classify draws: which side presses, and in how many turns
#[derive(Args, Debug)]
#[command(after_help = "A task is a drawn position in which only one turn holds the draw. A side\n\
                  presses if it can force the other side into a task without facing one first\n\
                  (docs/solvers.md). The results are stored with the table, for `probe`, `stats`\n\
                  and `play`.\n\n\
                  Examples:\n  retrograde shades pushfight:mini\n  \
                        retrograde shades pushfight:mini --out shades.svg")]
pub(crate) struct ShadesArgs {
    /// A game with a table
    game: String,
    /// Write a plot (.svg or .png)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Compute the shades again, even if they are stored
    #[arg(long)]
    again: bool,
}

pub(crate) fn run(context: &Context, args: &ShadesArgs) -> CommandResult {
    reserve_output(args.out.as_deref())?;
    let shades = find(context, args)?;
    if context.json && args.out.is_none() {
        print_json(&shades)?;
        return Ok(Exit::Success);
    }
    // `stats` may count fewer draws.
    let all = context.open(&args.game)?.statistics()?.counted.is_some();
    let histogram = histogram(&shades, if all { "draws among all positions" } else { "draws" });
    if let Some(out) = &args.out {
        plot_to(&histogram, out)?;
    }
    if context.json {
        print_json(&shades)?;
        return Ok(Exit::Success);
    }
    print_line(text::histogram(&histogram, WIDTH, context.color))?;
    print_levels(&shades.levels)?;
    print_line(wrapped(&sentence(&shades), 0))?;
    if let Some(start) = shades.start {
        let who = player(&*context.open(&args.game)?, Seat::First);
        print_line(wrapped(&format!("The start is drawn. {}", of_position(&who, start)), 0))?;
    }
    if let Some(out) = &args.out {
        print_line(format!("The plot is in “{}”.", out.display()))?;
    }
    Ok(Exit::Success)
}

/// The shades of a table: computed if necessary in a folder, stored ones on a site.
fn find(context: &Context, args: &ShadesArgs) -> Result<ShadeStatistics, BoxError> {
    if context.site.is_some() {
        let missing = || Error::Unsupported("the site has no shades for this game".to_owned());
        return Ok(context.open(&args.game)?.statistics()?.shades.ok_or_else(missing)?);
    }
    let subject = context.subject(&args.game)?;
    let options = SolveOptions { again: args.again, ..context.solve_options() };
    let folder = context.folder_of(&subject)?;
    Ok(ProgressDisplay::during(|bar| subject.find_shades(folder, &options, bar))?)
}

/// All draws by turns to the task, over all levels.
fn histogram(shades: &ShadeStatistics, counted: &str) -> Histogram {
    let mut histogram = Histogram {
        title: shades.game.clone(),
        draws: shades.quiet.0,
        words: HistogramWords::SHADES,
        counted: Some(counted.to_owned()),
        ..Histogram::default()
    };
    for level in &shades.levels {
        for (by, all) in [(&level.presses, &mut histogram.wins), (&level.pressed, &mut histogram.losses)] {
            for (turns, count) in by {
                *all.entry(Turns(*turns)).or_insert(0) += count.0;
            }
        }
    }
    histogram
}

fn print_levels(levels: &[LevelOfShades]) -> Result<(), BoxError> {
    if levels.is_empty() {
        return Ok(());
    }
    print_line(format!("\nlevel {:>15} {:>15} {:>15}  longest press", "tasks", "pressing", "pressed"))?;
    for level in levels {
        let sum = |counts: &mut dyn Iterator<Item = &Count>| counts.map(|count| count.0).sum::<u128>();
        let tasks = level.pressed.get(&0).map_or(0, |count| count.0);
        let [presses, pressed] = [&level.presses, &level.pressed].map(|by| sum(&mut by.values()));
        let longest = level.presses.keys().chain(level.pressed.keys()).max().copied().unwrap_or(0);
        print_line(format!(
            "{:5} {:>15} {:>15} {:>15}  {:>13}",
            level.level,
            thousands(tasks),
            thousands(presses),
            thousands(pressed),
            longest
        ))?;
    }
    print_line("")
}

/// A sentence on how many draws are quiet.
pub(crate) fn sentence(shades: &ShadeStatistics) -> String {
    let share = match shades.draws.0 {
        0 => return "There are no draws.".to_owned(),
        draws => shades.quiet.0 as f64 * 100.0 / draws as f64,
    };
    let draws = plural(shades.draws.0, "draw");
    format!("{} of {draws} are quiet ({share:.1}%).", thousands(shades.quiet.0))
}

/// A sentence on the shade of a position, about the side to move.
pub(crate) fn of_position(who: &str, shade: ShadeOfDraw) -> String {
    let (level, turns) = match (shade.level, shade.turns_to_task) {
        (Some(level), Some(turns)) => (level, plural(turns, "turn")),
        _ => return "It is quiet: neither side presses.".to_owned(),
    };
    match (shade.side, shade.turns_to_task) {
        (_, Some(0)) => format!("{who} is pressed: only one turn holds (level {level})."),
        ("presses", _) => format!("{who} presses: the other side faces a task in {turns} (level {level})."),
        _ => format!("{who} is pressed and faces a task in {turns} (level {level})."),
    }
}

/// The shade of a turn, to follow its value.
pub(crate) fn of_turn(shade: ShadeOfDraw) -> String {
    match (shade.side, shade.level, shade.turns_to_task) {
        (side, Some(level), Some(turns)) => format!("{side} in {turns}, level {level}"),
        _ => "quiet".to_owned(),
    }
}
