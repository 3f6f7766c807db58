//! The commands of generalised Push Fight: boards of any size, mate in one.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// What to do with a board.
#[derive(Subcommand, Debug)]
pub enum BoardCommand {
    /// Read a board and say what it is, or where it is wrong
    #[command(after_help = "Examples:\n  retrograde board check my.board\n  retrograde board check - --json")]
    Check {
        /// A .board file, `-` for standard input, or a drawing with its lines joined by /
        #[arg(allow_hyphen_values = true)]
        board: String,
    },
    /// Show a board with coordinates, or draw it (.svg, .png)
    #[command(after_help = "Examples:\n  retrograde board show my.board\n  \
                            retrograde board show my.board --out my.svg")]
    Show {
        /// A .board file, `-` for standard input, or a drawing with its lines joined by /
        #[arg(allow_hyphen_values = true)]
        board: String,
        #[command(flatten)]
        picture: PictureArgs,
    },
}

/// Which reduction.
#[derive(Subcommand, Debug)]
pub enum ReduceCommand {
    /// Points become a board: mate in one takes three moves more than their shortest tree is long
    #[command(after_help = "Examples:\n  retrograde reduce steiner '0,0 2,3 4,1' --out points.board\n  \
                            retrograde reduce steiner '0,0 2,3' --length 4")]
    Steiner {
        /// Points such as '0,0 2,3', a file with them, or `-` for standard input
        #[arg(allow_hyphen_values = true)]
        points: String,
        /// The length ℓ that is asked about: the board gets ℓ + 3 moves [default: that of the shortest tree]
        #[arg(long, value_name = "N")]
        length: Option<u64>,
        /// Write a .board file instead of printing it
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// A quantified formula becomes a position that White wins if and only if it is true
    #[command(after_help = "Examples:\n  retrograde reduce qbf formula.qdimacs --out formula.board\n  \
                            retrograde reduce qbf formula.qdimacs --solve")]
    Qbf {
        /// A .qdimacs file with at most three literals a clause, or `-` for standard input
        formula: String,
        /// Write a .board file instead of printing it
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Search who wins the position: for small formulas
        #[arg(long)]
        solve: bool,
    },
}

/// Where a picture goes, and how it looks.
#[derive(Args, Debug)]
pub struct PictureArgs {
    /// Write a picture (.svg or .png; a turn also as .gif)
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Pixels across, of .png and .gif
    #[arg(long, default_value_t = 640, value_name = "N")]
    pub width: u32,
    /// Light on dark
    #[arg(long)]
    pub dark: bool,
}

/// How to look for mate in one.
#[derive(Args, Debug)]
pub struct MateArgs {
    /// A .board file, `-` for standard input, or a drawing with its lines joined by /
    #[arg(allow_hyphen_values = true)]
    pub board: String,
    /// Moves before the push, a number or `unlimited` [default: the least number that does it]
    #[arg(long, value_name = "N", value_parser = parse_moves, allow_hyphen_values = true)]
    pub moves: Option<Moves>,
    /// How the least number is found [default: by whichever is better]
    #[arg(long, value_enum, value_name = "METHOD")]
    pub by: Option<MethodWord>,
    /// Memory of a search at the most, such as 8G or 500M
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = crate::output::parse_size)]
    pub memory: u64,
    #[command(flatten)]
    pub picture: PictureArgs,
}

/// Moves before the push.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moves {
    /// Up to so many.
    UpTo(u32),
    /// As many as it takes.
    Unlimited,
}

fn parse_moves(text: &str) -> Result<Moves, String> {
    match text {
        "unlimited" => Ok(Moves::Unlimited),
        _ => match text.parse() {
            Ok(moves) if !text.starts_with('+') => Ok(Moves::UpTo(moves)),
            _ => Err("moves are a number from 0 to 4294967295 or `unlimited`".to_owned()),
        },
    }
}

/// A method on the command line.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum MethodWord {
    Search,
    Sat,
}
