//! `survey`: solves variants of games and compares them in a table, for people who design games.

mod layout;
mod pattern;
mod row;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use retrograde_explore::export::OutputFile;
use retrograde_explore::{AnyGame, Error, OpenGame};
use retrograde_solve::Progress;

use crate::output::progress::ProgressDisplay;
use crate::output::terminal::say_note;
use crate::output::{print_json, print_line, reserve_output};
use crate::program::args::whole;
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult, Exit};
use layout::Layout;
use pattern::{MAX_VARIANTS, Pattern, too_many};
use row::{LeftOutVariant, SolvedVariant};

pub(crate) use row::SurveyRow;

/// Solve variants of games and compare them in a table
#[derive(Args, Debug)]
#[command(after_help = "Variants without a table are solved in memory. Their tables can be many and\n\
                  large, so only --keep writes them. Quote the names, because shells also use\n\
                  braces. A name that is not a game, or a variant that does not fit into\n\
                  --memory, is listed with the reason. Ctrl-C keeps the finished rows.\n\n\
                  Examples:\n  retrograde survey 'pushfight:mini,moves={0..3},pawns={1,2}'\n  \
                        retrograde survey 'tactics:{2..4}x{3,4}' --out survey.csv\n  \
                        retrograde survey {game} --json")]
pub(crate) struct SurveyArgs {
    /// Games to compare; in a name, {0..3} and {4,6,8} stand for several values
    #[arg(required = true)]
    games: Vec<String>,
    /// Random positions to examine for the column `only`; 0 leaves it out
    #[arg(long, default_value_t = 10_000, value_parser = whole::<u64>(1000))]
    sample: u64,
    /// Write tables as `solve` does, so that a later run can resume and other
    /// commands can use them
    #[arg(long)]
    keep: bool,
    /// Also write the figures to a CSV file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A variant to solve.
struct Named {
    /// The pattern, if this is its first variant and the label is only a part of the name.
    heading: Option<String>,
    name: String,
    label: String,
    /// The game, or the reason why there is no game with this name.
    game: Result<Arc<AnyGame>, Error>,
}

pub(crate) fn run(context: &Context, args: &SurveyArgs) -> CommandResult {
    reserve_output(args.out.as_deref())?;
    if !args.keep {
        context.tables.check()?;
    }
    let variants = variants_of(context, &args.games)?;
    let layout = Layout::of(variants.iter().map(|named| (&*named.label, named.game.as_ref().ok())));
    let mut csv = args.out.as_deref().map(OutputFile::create).transpose()?;
    if let Some(csv) = &mut csv {
        writeln!(csv, "{}", SurveyRow::csv_header())?;
    }
    if !context.json {
        print_line(layout.header())?;
    }
    let mut solved = Vec::new();
    let done = variants.into_iter().try_for_each(|Named { heading, name, label, game }| {
        if let Some(heading) = heading.filter(|_| !context.json) {
            print_line(heading)?;
        }
        let row = row_of(context, args, name, game)?;
        if let Some(csv) = &mut csv {
            writeln!(csv, "{}", row.csv())?;
        }
        match context.json {
            true => print_json(&row)?,
            false => print_line(layout.row(&label, &row))?,
        }
        if let SurveyRow::Solved(row) = row {
            solved.push((label, row));
        }
        Ok::<(), BoxError>(())
    });
    // If the survey was stopped, the finished rows are kept.
    if let Some(csv) = csv {
        csv.finish()?;
    }
    if !context.json && !solved.is_empty() {
        layout.legend(&solved).into_iter().try_for_each(print_line)?;
    }
    done?;
    Ok(if solved.is_empty() { Exit::NothingFound } else { Exit::Success })
}

/// The variants that patterns stand for, in their order.
///
/// # Errors
/// If a pattern is malformed, there are too many variants, or none of them is a game.
fn variants_of(context: &Context, games: &[String]) -> Result<Vec<Named>, BoxError> {
    let patterns = games.iter().map(|game| Pattern::parse(game)).collect::<Result<Vec<_>, _>>()?;
    let count = patterns.iter().fold(0, |count: u64, pattern| count.saturating_add(pattern.count()));
    if count > MAX_VARIANTS {
        return Err(too_many(&games.join(" "), count).into());
    }
    let mut all = Vec::new();
    for pattern in patterns {
        let mut heading = pattern.has_labels().then(|| pattern.text.clone());
        let indent = if pattern.has_labels() { "  " } else { "" };
        for variant in pattern.variants() {
            all.push(Named {
                heading: heading.take(),
                game: context.registry.find(&variant.name, &context.loader),
                name: variant.name,
                label: format!("{indent}{}", variant.label),
            });
        }
    }
    match all.iter().any(|named| named.game.is_ok()) {
        true => Ok(all),
        false => Err(all.swap_remove(0).game.err().map_or_else(|| "there are no games".into(), Into::into)),
    }
}

/// Solves a variant, or finds its table, and returns its figures, or the reason why it has no figures.
///
/// # Errors
/// If the survey was stopped, or the system failed to read or write.
fn row_of(
    context: &Context,
    args: &SurveyArgs,
    variant: String,
    game: Result<Arc<AnyGame>, Error>,
) -> Result<SurveyRow, Error> {
    let canonical = game.as_ref().map(|game| game.about().game).unwrap_or_default();
    let row = ProgressDisplay::during(|bar| {
        let game = game?;
        if bar.stopped() {
            return Err(Error::Stopped);
        }
        let open = solved_game(context, args, &game, bar)?;
        SolvedVariant::of(variant.clone(), &open, args.sample, bar)
    });
    match row {
        Ok(row) => {
            row.statistics.notes.iter().for_each(|note| say_note(note));
            Ok(SurveyRow::Solved(Box::new(row)))
        }
        Err(error) if error.is_stopped() || matches!(error, Error::Io(_)) => Err(error),
        Err(error) => Ok(SurveyRow::LeftOut(LeftOutVariant::of(variant, &canonical, &error))),
    }
}

/// The game with all its values: from a complete table, or solved in memory or, with `--keep`, into
/// a table.
fn solved_game(
    context: &Context,
    args: &SurveyArgs,
    game: &Arc<AnyGame>,
    progress: &dyn Progress,
) -> Result<OpenGame, Error> {
    let options = context.solve_options();
    if args.keep {
        let folder = context.tables.for_solving(game, &options)?;
        game.solve(folder, &options, progress)?;
        return game.explore(folder);
    }
    let open = context.tables.explore(game)?;
    if open.facts().is_some_and(|facts| facts.has_turns && facts.horizon.is_none()) {
        open.count(context.threads, progress)?;
        return Ok(open);
    }
    game.solve_in_memory(&options, progress)
}
