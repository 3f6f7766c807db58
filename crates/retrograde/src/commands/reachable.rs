//! `reachable`: counts the positions that can be reached from the start.

use clap::Args;
use retrograde_explore::{Count, Reachable};

use crate::output::progress::ProgressDisplay;
use crate::output::{positions, print_line, show, thousands};
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult};

/// Count the positions that can be reached from the start
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  retrograde reachable {game}\n  retrograde reachable pushfight:mini\n\n\
                  This does not need a table. Symmetric positions with the same index all count if\n\
                  one of them can be reached.")]
pub(crate) struct ReachableArgs {
    /// A game or variant; `games` lists them
    game: String,
}

pub(crate) fn run(context: &Context, args: &ReachableArgs) -> CommandResult {
    let subject = context.subject(&args.game)?;
    let options = context.solve_options();
    let found = ProgressDisplay::during(|bar| subject.reachable(&options, bar))?;
    show(context, &found, || print(&found))
}

fn print(found: &Reachable) -> Result<(), BoxError> {
    print_line(&found.game)?;
    let line = |name: &str, count: Count| print_line(format!("  {name:<34} {:>22}", thousands(count.0)));
    line(positions(found.positions_up_to_symmetry), found.positions)?;
    for (name, count) in &found.counts {
        line(&format!("  {name}"), *count)?;
    }
    line(if found.finished.is_some() { "reachable, not finished" } else { "reachable" }, found.reachable)?;
    if found.before.0 > 0 {
        line("  pieces still being placed", found.before)?;
        line("  all pieces placed", Count(found.reachable.0 - found.before.0))?;
    }
    if let Some(count) = found.up_to_symmetry {
        line("    up to symmetry", count)?;
    }
    if found.with_images {
        print_line("  (a position counts if it or a symmetric one is reachable)")?;
    }
    match found.finished {
        Some(count) => line("reachable, finished", count),
        None => {
            print_line("  (positions won by the last turn are not counted; positions without a turn are)")
        }
    }
}
