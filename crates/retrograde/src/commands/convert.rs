//! `convert`: brings the files of a solved game into the present form.

use clap::Args;
use serde::Serialize;

use crate::context::{CommandResult, Context, Exit};
use crate::output::{bytes, print_json, print_line};
use crate::progress::ProgressDisplay;

/// The options of `convert`.
#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    /// A game, such as pushfight
    game: String,
}

/// The answer with `--json`.
#[derive(Serialize)]
struct Converted<'a> {
    game: String,
    /// The files that were replaced.
    converted: &'a [&'static str],
}

pub(crate) fn run(context: &Context, args: &ConvertArgs) -> CommandResult {
    context.with_game(&args.game, |game| {
        let old = game.outdated_files();
        let most = old.iter().map(|&(_, length)| length).max().unwrap_or(0);
        if !context.json && !old.is_empty() {
            let names: Vec<&str> = old.iter().map(|&(name, _)| name).collect();
            let names = names.join(", ");
            print_line(format!("{names}: this takes up to {} of disk meanwhile", bytes(most.into())))?;
        }
        let bar = ProgressDisplay::new();
        let converted = game.convert(&context.solve_options(), &bar);
        bar.finish();
        let converted = converted?;
        if context.json {
            print_json(&Converted { game: game.name().to_owned(), converted: &converted })?;
        } else if converted.is_empty() {
            print_line("All files have the present form.")?;
        } else {
            print_line(format!("{} now have the present form.", converted.join(" and ")))?;
        }
        Ok(Exit::Success)
    })
}
