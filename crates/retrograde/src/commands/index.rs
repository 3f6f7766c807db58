//! `index`: shows the index of a position.

use clap::Args;

use crate::args::NumberingArgs;
use crate::context::Context;
use crate::exit::{CommandResult, Exit};
use crate::output::{further_lines, print_json, print_line};

/// The options of `index`.
#[derive(Args, Debug)]
pub(crate) struct IndexArgs {
    /// A game or variant; `games` lists them
    game: String,
    /// The position
    position: String,
    #[command(flatten)]
    numbering: NumberingArgs,
}

pub(crate) fn run(context: &Context, args: &IndexArgs) -> CommandResult {
    context.with_game(&args.game, |game| {
        let numbered = game.index(&args.position, args.numbering.name())?;
        if context.json {
            print_json(&numbered)?;
        } else {
            let index = numbered.index.map_or_else(|| "no index".to_owned(), |index| index.0.to_string());
            print_line(index)?;
            for line in further_lines(&numbered) {
                print_line(line)?;
            }
        }
        Ok(Exit::Success)
    })
}
