//! `export evaluation`: writes an evaluation set, a folder with a few thousand positions of a game
//! and the values of all their turns. `docs/data-sets.md` describes it.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};
use retrograde_explore::Count;
use retrograde_explore::export::{DrawRule, EvaluationOptions, RowsFormat};
use retrograde_solve::Progress;
use schemars::JsonSchema;
use serde::Serialize;

use crate::output::progress::ProgressDisplay;
use crate::output::{print_line, show, thousands};
use crate::program::args::{SeedArgs, number, word};
use crate::program::context::Context;
use crate::program::exit::CommandResult;

/// An evaluation set that was written (`export evaluation`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct Evaluation<'a> {
    /// The canonical name of the game.
    game: &'a str,
    /// The folder.
    folder: String,
    /// Positions in all splits together.
    rows: Count,
    /// The files.
    files: Vec<EvaluationFile<'a>>,
}

/// A file of an evaluation set.
#[derive(Serialize, JsonSchema)]
struct EvaluationFile<'a> {
    /// Its name in the folder.
    file: &'a str,
    /// Its part of the set.
    #[schemars(extend("enum" = ["train", "validation", "test"]))]
    split: &'static str,
    /// The number of positions.
    rows: Count,
    /// Its size in bytes.
    bytes: Count,
    /// Its SHA-256.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    sha256: &'a str,
}

/// The options of `export evaluation`.
#[derive(Args, Debug)]
pub(crate) struct EvaluationArgs {
    /// A solved game
    pub game: String,
    /// The folder to create
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Number of positions, in all splits together
    #[arg(long, default_value_t = 3000, value_parser = number::<u64>(1..=100_000, 3000))]
    pub positions: u64,
    #[command(flatten)]
    pub seed: SeedArgs,
    /// Rules for choosing positions; each chooses an equal share
    #[arg(
        long,
        value_name = "RULE",
        value_delimiter = ',',
        default_value = "depth,only-move,balanced",
        value_parser = rules()
    )]
    pub rule: Vec<DrawRule>,
    /// File formats
    #[arg(
        long,
        value_name = "FORMAT",
        value_delimiter = ',',
        default_value = "jsonl",
        value_parser = formats()
    )]
    pub format: Vec<RowsFormat>,
}

/// The rules, with their help.
fn rules() -> impl TypedValueParser<Value = DrawRule> {
    let rule = |name, help, rule| (PossibleValue::new(name).help(help), rule);
    word([
        rule("depth", "The same number of positions for each outcome and number of turns", DrawRule::Depth),
        rule("only-move", "Exactly one turn wins, avoids a loss or delays it longest", DrawRule::OnlyMove),
        rule("balanced", "The same number of wins, draws and losses", DrawRule::Balanced),
    ])
}

/// The formats, with their help.
fn formats() -> impl TypedValueParser<Value = RowsFormat> {
    let format = |name, help, format| (PossibleValue::new(name).help(help), format);
    word([
        format("jsonl", "One JSON object per line", RowsFormat::JsonLines),
        format("parquet", "Apache Parquet, if this program was built with it", RowsFormat::Parquet),
    ])
}

pub(crate) fn run(context: &Context, args: &EvaluationArgs) -> CommandResult {
    let options = EvaluationOptions {
        positions: args.positions,
        seed: args.seed.seed,
        rules: args.rule.clone(),
        formats: args.format.clone(),
    };
    let game = &*context.open(&args.game)?;
    let set = ProgressDisplay::during(|bar| {
        bar.stage("drawing positions", args.positions);
        game.export_evaluation(&args.out, &options, &mut bar.counter())
    })?;
    let out = args.out.display();
    let files = set.files.iter().map(|file| EvaluationFile {
        file: &file.name,
        split: file.split.word(),
        rows: Count(file.rows.into()),
        bytes: Count(file.bytes.into()),
        sha256: &file.sha256,
    });
    let (rows, files) = (Count(set.rows.into()), files.collect());
    let answer = Evaluation { game: game.name(), folder: out.to_string(), rows, files };
    show(context, &answer, || {
        print_line(format!("{} positions written to “{out}”", thousands(rows.0)))?;
        for EvaluationFile { file, rows, sha256, .. } in &answer.files {
            print_line(format!("  {file:<18} {:>6}  SHA-256 {sha256}", thousands(rows.0)))?;
        }
        print_line("  README.md explains how the positions were chosen and what the fields mean.")?;
        if set.rows < args.positions {
            let wanted = thousands(args.positions.into());
            print_line(format!("  These are fewer than the {wanted} requested: the rules found no more."))?;
        }
        Ok(())
    })
}
