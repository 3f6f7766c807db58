//! `export book`: writes an opening book, the turns of the first plies with their values.
//! `docs/data-sets.md` describes the columns.

use std::path::PathBuf;

use clap::Args;
use retrograde_explore::Count;
use retrograde_solve::Progress;
use schemars::JsonSchema;
use serde::Serialize;

use crate::output::progress::ProgressDisplay;
use crate::output::{plural, print_line, reserve_output, show};
use crate::program::args::number;
use crate::program::context::Context;
use crate::program::exit::CommandResult;

/// An opening book that was written (`export book`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct Book<'a> {
    /// The canonical name of the game.
    game: &'a str,
    /// The plies whose turns it has.
    plies: u32,
    /// The number of positions with turns.
    positions: Count,
    /// The number of turns, one per row.
    rows: Count,
    /// The file.
    file: String,
}

/// The options of `export book`.
#[derive(Args, Debug)]
pub(crate) struct BookArgs {
    /// A game or variant; `games` lists them
    pub game: String,
    /// The CSV file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Number of plies; placing one player's pieces is a ply
    #[arg(long, value_parser = number::<u32>(1..=u64::from(u32::MAX), 4))]
    pub plies: u32,
}

pub(crate) fn run(context: &Context, args: &BookArgs) -> CommandResult {
    reserve_output(Some(&args.out))?;
    let game = &*context.open(&args.game)?;
    let written = ProgressDisplay::during(|bar| {
        bar.stage("positions", 0);
        game.export_book(&args.out, args.plies, &mut bar.counter())
    })?;
    let [positions, rows] = [written.positions, written.rows].map(|number| Count(number.into()));
    let turns = plural(rows.0, "turn");
    let of = plural(positions.0, "position");
    let file = args.out.display().to_string();
    let text = format!("{turns} in {of} written to “{file}”");
    let answer = Book { game: game.name(), plies: args.plies, positions, rows, file };
    show(context, &answer, || print_line(text))
}
