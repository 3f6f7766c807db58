//! The options of `export`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::commands::export::book::BookArgs;
use crate::commands::export::evaluation::EvaluationArgs;
use crate::commands::export::site::SiteArgs;
use crate::program::args::{number, whole};

/// Export a table as a data set (.csv, .npy, .parquet) or web page, or games as a site
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  retrograde export {game} --out data.csv\n  \
                        retrograde export {game} --out data.npy --sample 10000\n  \
                        retrograde export {game} --format html --out game.html\n  \
                        retrograde export site --out site {game}\n  \
                        retrograde export pushfight --format phase0 --chunk 3591 --out chunk-3591.bin\n\n\
                  Push Fight formats: phase0, phase:N, merged and minimized (docs/data-sets.md).")]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct ExportArgs {
    /// Another kind of export
    #[command(subcommand)]
    pub command: Option<ExportCommand>,
    #[command(flatten)]
    pub table: Option<TableArgs>,
}

/// Subcommands that write something other than one game to one file.
#[derive(Subcommand, Debug)]
pub(crate) enum ExportCommand {
    /// Write the explorer and games as a folder of static files for any web host
    #[command(after_help = "Examples:\n  retrograde export site --out site {game}\n  \
                            retrograde export site --out site {game} --piece-size 25M\n\n\
                      docs/site.md explains where and how to publish the folder. Exporting into the\n\
                      folder of an older site replaces that site; --prune also removes the files that\n\
                      only the older site needed, which open pages may still load.")]
    Site(SiteArgs),
    /// Write positions with the values of all their turns, to evaluate players and networks
    #[command(after_help = "Examples:\n  retrograde export evaluation {game} --out positions\n  \
                            retrograde export evaluation {game} --positions 10000 --seed 7 \\\n    \
                            --rule only-move --format jsonl,parquet --out only-moves\n\n\
                      The folder gets files for training, validation and test, checksums, and a\n\
                      README.md that describes them. No two splits share a position, even rotated or\n\
                      mirrored. The same options give the same bytes. See docs/data-sets.md.")]
    Evaluation(EvaluationArgs),
    /// Write an opening book: the turns of the first plies with their values, as CSV
    #[command(after_help = "Examples:\n  retrograde export book {game} --plies 4 --out book.csv\n  \
                            retrograde export book pushfight --plies 1 --out placements.csv\n\n\
                      Each row is a turn with its position. Values come from the table or, for some\n\
                      games, from published results. See docs/data-sets.md.")]
    Book(BookArgs),
}

/// The options of `export GAME`.
#[derive(Args, Debug)]
pub(crate) struct TableArgs {
    /// A game or variant; `games` lists them
    pub game: String,
    /// The file to write; its extension chooses the format
    #[arg(long, value_name = "FILE", required_unless_present = "sha256")]
    pub out: Option<PathBuf>,
    /// Write only the first N rows
    #[arg(long, value_parser = whole::<u64>(1000))]
    pub limit: Option<u64>,
    /// Write N random rows
    #[arg(long, conflicts_with = "limit", value_parser = whole::<u64>(1000))]
    pub sample: Option<u64>,
    /// Seed of the random choices
    #[arg(long, default_value_t = 1, requires = "sample", value_parser = whole::<u64>(1))]
    pub seed: u64,
    /// html (one web page that contains the table), csv, npy or parquet, or a format that
    /// only this game has
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
    /// With --format html: the program compiled to WebAssembly [default: where cargo puts it]
    #[arg(long, value_name = "FILE", requires = "format")]
    pub module: Option<PathBuf>,
    /// For a Push Fight format: which chunk to write; each has 54,054,000 positions
    #[arg(long, requires = "format", value_parser = whole::<u64>(3591))]
    pub chunk: Option<u64>,
    /// For a Push Fight format: the first index
    #[arg(long, requires = "format", conflicts_with = "chunk", value_parser = whole::<u64>(0))]
    pub from: Option<u64>,
    /// For a Push Fight format: the number of positions
    #[arg(long, requires = "format", conflicts_with = "chunk", value_parser = number::<u64>(1..=u64::MAX, 1000))]
    pub count: Option<u64>,
    /// For a Push Fight format: print the SHA-256 of the file; --out is then optional
    #[arg(long, requires = "format")]
    pub sha256: bool,
}
