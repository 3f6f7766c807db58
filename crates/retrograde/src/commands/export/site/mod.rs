//! `export site`: writes the explorer and the tables of games as a folder of static files for any
//! web host. `retrograde_table::site` describes the files, and `docs/site.md` how to publish them.
//!
//! This is a subcommand and not an option of `export GAME`, because it takes several games and a
//! folder.

#[cfg(feature = "serve")]
mod game;
#[cfg(feature = "serve")]
mod packed;
#[cfg(feature = "serve")]
mod page;
#[cfg(feature = "serve")]
mod puzzles;
#[cfg(feature = "serve")]
pub(crate) mod write;

use std::path::PathBuf;

use clap::Args;

use crate::program::args::{number, parse_size};
#[cfg(not(feature = "serve"))]
use crate::program::{context::Context, exit::CommandResult};

#[cfg(feature = "serve")]
pub(crate) use write::run;

/// The options of `export site`.
#[derive(Args, Debug)]
pub(crate) struct SiteArgs {
    /// The games; `games` lists them
    #[arg(required = true, value_name = "GAME")]
    pub games: Vec<String>,
    /// The folder to write
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Split larger files into pieces of this size, such as 25M, for hosts that limit file sizes or
    /// do not support byte ranges [default: whole files]
    #[arg(long, value_name = "SIZE", value_parser = parse_piece_size)]
    pub piece_size: Option<u64>,
    /// Puzzles to sample for each kind and number of turns
    #[arg(long, default_value_t = 20, value_parser = number::<u32>(0..=1000, 20))]
    pub puzzles: u32,
    /// The program compiled to WebAssembly [default: the built-in one, or cargo's output]
    #[arg(long, value_name = "FILE")]
    pub module: Option<PathBuf>,
    /// The program compiled to WebAssembly with its solvers, to solve games that visitors enter;
    /// only if `--module` was built without the feature `solving` to make it smaller
    #[arg(long, value_name = "FILE", requires = "module")]
    pub workshop: Option<PathBuf>,
    /// Remove files that only earlier exports into this folder needed
    #[arg(long)]
    pub prune: bool,
}

/// Parses the size of pieces.
fn parse_piece_size(text: &str) -> Result<u64, String> {
    const MIN_BYTES: u64 = 10_000;
    let size = parse_size(text)?;
    if size < MIN_BYTES {
        Err("pieces must have at least 10K, as in --piece-size 25M".to_owned())
    } else {
        Ok(size)
    }
}

/// Returns an error: the page comes from the server's crate.
#[cfg(not(feature = "serve"))]
pub(crate) fn run(_context: &Context, _args: &SiteArgs) -> CommandResult {
    Err("this program was built without the explorer's page: a site needs the feature `serve` of the crate \
         retrograde, as in `cargo run --release --features retrograde/serve -- export site`"
        .into())
}
