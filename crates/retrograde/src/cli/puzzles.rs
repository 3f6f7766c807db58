//! What can be asked of `puzzles`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Which puzzles, and where they go.
#[derive(Args, Debug)]
pub struct PuzzleArgs {
    /// A game, such as touchdown:5x4
    pub game: String,
    /// Exactly one turn wins, or exactly one saves what can be saved
    #[arg(long, value_enum, default_value = "win")]
    pub kind: KindWord,
    /// The turns to the end
    #[arg(long, value_name = "N")]
    pub turns: Option<u16>,
    /// Where random choices begin; without it puzzles come by index
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How many [default: 3; of a sheet 6, up to 12]
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// Say the solutions too
    #[arg(long, conflicts_with = "sheet")]
    pub solutions: bool,
    /// Draw a page to print (.svg, .png), and the solutions beside it as FILE-solutions
    #[arg(long, value_name = "FILE")]
    pub sheet: Option<PathBuf>,
}

/// A kind of puzzle on the command line.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum KindWord {
    Win,
    Save,
}
