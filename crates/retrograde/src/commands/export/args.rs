//! The options of `export`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::args::number;
use crate::commands::export::evaluation::EvaluationArgs;
use crate::commands::export::site::SiteArgs;

/// The options of `export`: a game into a file, or a command of its own.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct ExportArgs {
    /// Another thing to write
    #[command(subcommand)]
    pub command: Option<ExportCommand>,
    #[command(flatten)]
    pub table: Option<TableArgs>,
}

/// The commands that write something other than one game into one file.
#[derive(Subcommand, Debug)]
pub(crate) enum ExportCommand {
    /// Write the explorer with games as a folder of static files for any web host
    #[command(after_help = "Examples:\n  retrograde export site --out site touchdown tactics\n  \
                            retrograde export site --out site pushfight:mini --piece-size 25M\n\n\
                      docs/site.md says where and how to publish the folder. An export into a folder\n\
                      with an older site replaces that site; files that only it named stay for pages that\n\
                      are open, until --prune.")]
    Site(SiteArgs),
    /// Write positions with the values of all their turns, to measure players and networks by
    #[command(after_help = "Examples:\n  retrograde export evaluation touchdown:4x4 --out touchdown-4x4\n  \
                            retrograde export evaluation tactics:5x5 --positions 10000 --seed 7 \\\n    \
                            --rule only-move --format jsonl,parquet --out only-moves\n\n\
                      The same options give the same bytes. The folder has files for training, validation\n\
                      and test, which share no position nor image of one, checksums, and a README.md that\n\
                      says what is in them. docs/data-sets.md has more.")]
    Evaluation(EvaluationArgs),
}

/// The options of `export GAME`.
#[derive(Args, Debug)]
pub(crate) struct TableArgs {
    /// A game, such as touchdown:5x4
    pub game: String,
    /// The file to write; its ending says the format
    #[arg(long, value_name = "FILE", required_unless_present = "sha256")]
    pub out: Option<PathBuf>,
    /// Write only the first N rows
    #[arg(long, value_name = "N", value_parser = number::<u64>(0..=u64::MAX, "--limit 1000"))]
    pub limit: Option<u64>,
    /// Write N rows chosen at random
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "limit",
        value_parser = number::<u64>(0..=u64::MAX, "--sample 1000")
    )]
    pub sample: Option<u64>,
    /// Seed of the random choices
    #[arg(
        long,
        default_value_t = 1,
        value_name = "N",
        requires = "sample",
        value_parser = number::<u64>(0..=u64::MAX, "--seed 1")
    )]
    pub seed: u64,
    /// html: one page for the browser, with the table inside; csv, npy or parquet, whatever the file
    /// is called; or a format of the first complete solution of Push Fight: phase0, phase:N, merged or
    /// minimized
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
    /// With --format html: the program as WebAssembly [default: where cargo puts it]
    #[arg(long, value_name = "FILE", requires = "format")]
    pub module: Option<PathBuf>,
    /// With --format: the chunk of 54,054,000 positions to write
    #[arg(
        long,
        value_name = "N",
        requires = "format",
        value_parser = number::<u64>(0..=u64::MAX, "--chunk 3591")
    )]
    pub chunk: Option<u64>,
    /// With --format: the first number
    #[arg(
        long,
        value_name = "N",
        requires = "format",
        conflicts_with = "chunk",
        value_parser = number::<u64>(0..=u64::MAX, "--from 0")
    )]
    pub from: Option<u64>,
    /// With --format: the count of numbers
    #[arg(
        long,
        value_name = "N",
        requires = "format",
        conflicts_with = "chunk",
        value_parser = number::<u64>(0..=u64::MAX, "--count 1000")
    )]
    pub count: Option<u64>,
    /// With --format: say the SHA-256 of the file; then --out is not needed
    #[arg(long, requires = "format")]
    pub sha256: bool,
}
