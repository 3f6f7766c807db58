//! `verify`: checks the files of a table and recomputes its values.

use clap::Args;
use retrograde_explore::StoreKind;

use crate::output::progress::ProgressDisplay;
use crate::output::{count, plural, print_line, show, wrapped};
use crate::program::args::whole;
use crate::program::context::Context;
use crate::program::exit::{CommandResult, Exit};

/// Default number of values to recompute.
const SAMPLE: u64 = 100_000;
/// The same for files without wins, where each value may require a look at all turns.
const SAMPLE_OF_FILES: u64 = 200;

/// Check the files and values of a table
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  retrograde verify {game}\n  retrograde verify {game} --full")]
pub(crate) struct VerifyArgs {
    /// A game or variant; `games` lists them
    game: String,
    /// Number of random values to recompute [default: 100000; 200 for Push Fight files that do not
    /// store wins]
    #[arg(long, value_parser = whole::<u64>(1000))]
    sample: Option<u64>,
    /// Recompute every value; this proves the table if it stores turns to the end
    #[arg(long, conflicts_with = "sample")]
    full: bool,
}

pub(crate) fn run(context: &Context, args: &VerifyArgs) -> CommandResult {
    let game = &*context.open(&args.game)?;
    let sample = match args.sample {
        _ if args.full => None,
        Some(sample) => Some(sample),
        None if matches!(
            game.facts().map(|facts| facts.kind),
            Some(StoreKind::Archive | StoreKind::Published)
        ) =>
        {
            Some(SAMPLE_OF_FILES)
        }
        None => Some(SAMPLE),
    };
    let checked = ProgressDisplay::during(|bar| game.verify(sample, &context.resources(bar)))?;
    let well = checked.error_count.0 == 0;
    show(context, &checked, || {
        let blocks = plural(checked.blocks.0, "block");
        print_line(format!("{}: {blocks} checked against the checksums", checked.game))?;
        let values = plural(checked.positions.0, "value");
        print_line(match (checked.positions.0, checked.full) {
            (0, _) => "No values were recomputed.".to_owned(),
            (_, true) => format!("Recomputed all {values} of the table."),
            (_, false) => format!("Recomputed a sample of {values}."),
        })?;
        print_line(wrapped(&checked.proof, 0))?;
        for error in &checked.errors {
            print_line(wrapped(&format!("  wrong: {error}"), 4))?;
        }
        let found = count(checked.error_count.0, "error was", "errors were");
        print_line(if well { "No errors were found.".to_owned() } else { format!("{found} found.") })
    })?;
    Ok(if well { Exit::Success } else { Exit::Failure })
}
