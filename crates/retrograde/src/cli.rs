//! The commands and their options, as `clap` reads them and `--help` shows them.

#[cfg(feature = "cluster")]
pub mod cluster;
pub mod general;
pub mod puzzles;
#[cfg(feature = "serve")]
pub mod serve;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

/// Options of every command stand apart from a command's own.
const EVERYWHERE: &str = "Options of every command";

/// Retrograde finds perfect play in board games.
#[derive(Parser, Debug)]
#[command(
    name = "retrograde",
    version,
    about = "Finds perfect play: solves board games, keeps the answers in tables, and lets you explore them.",
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "Examples:\n  retrograde solve            solve three games and show who wins\n  \
                  retrograde probe touchdown  the value of the start and of every turn\n  \
                  retrograde play tactics     play against perfect play"
)]
pub struct Cli {
    /// The folder with the tables
    #[arg(long, global = true, default_value = "tables", value_name = "DIR", help_heading = EVERYWHERE)]
    pub tables: PathBuf,
    /// Threads to use [default: all cores]
    #[arg(
        long,
        global = true,
        value_name = "N",
        help_heading = EVERYWHERE,
        value_parser = clap::value_parser!(u16).range(1..=1024)
    )]
    pub threads: Option<u16>,
    /// Print JSON, one object a line
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub json: bool,
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// List games, variants and numbers of positions
    #[command(after_help = "Examples:\n  retrograde games\n  retrograde games touchdown --seed-numbering")]
    Games {
        /// One game only
        game: Option<String>,
        /// The counts of seed 004's 24-bit numbering (touchdown:4x4)
        #[arg(long, requires = "game")]
        seed_numbering: bool,
    },
    /// Say what solving would take, before anything starts
    #[command(
        after_help = "Examples:\n  retrograde plan touchdown:5x5\n  retrograde plan tactics:6x6 --json\n  \
                            retrograde plan touchdown:6x5 --hosts 8"
    )]
    Plan {
        /// A game, such as touchdown:5x4
        game: String,
        #[command(flatten)]
        how: How,
        /// Say what it takes of each of N machines (see `solve --hosts`)
        #[cfg(feature = "cluster")]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
        hosts: Option<u32>,
    },
    /// Solve games and write their tables; go on with what was interrupted
    #[command(
        after_help = "Without a game: tactics, touchdown and pushfight:mini.\n\nExamples:\n  retrograde solve\n  \
                            retrograde solve tactics:5x5 touchdown:5x4\n  \
                            retrograde solve tactics:6x6 --memory 10G\n  \
                            retrograde solve touchdown:6x4 --processes 2\n  \
                            retrograde solve touchdown:6x5 --hosts my.hosts --process 0 --key my.key"
    )]
    Solve {
        /// Games, such as tactics:5x5
        games: Vec<String>,
        #[command(flatten)]
        how: How,
        /// Solve again even if there is a table
        #[arg(long)]
        again: bool,
        /// Leave the logs of a large Push Fight board
        #[arg(long)]
        keep_work: bool,
        #[cfg(feature = "cluster")]
        #[command(flatten)]
        cluster: cluster::ClusterArgs,
    },
    /// The value of a position and of every turn, best first
    #[command(
        after_help = "Examples:\n  retrograde probe touchdown\n  retrograde probe touchdown '...O/..O./..../.XX.'\n  \
                            retrograde probe tactics - --json < positions.txt"
    )]
    Probe {
        /// A game, such as touchdown:5x4
        game: String,
        /// The position, seen by the side to move; `-`: one a line from standard input [default: the start]
        #[arg(allow_hyphen_values = true)]
        position: Option<String>,
        #[command(flatten)]
        search: Search,
        /// List every turn
        #[arg(long)]
        all: bool,
    },
    /// One best line to the end
    #[command(after_help = "Examples:\n  retrograde line tactics\n  retrograde line touchdown --boards")]
    Line {
        /// A game, such as touchdown:5x4
        game: String,
        /// The position it begins with [default: the start]
        position: Option<String>,
        #[command(flatten)]
        search: Search,
        /// Draw the board after every turn
        #[arg(long)]
        boards: bool,
        /// The most turns to show
        #[arg(long, default_value_t = 200, value_name = "N")]
        most: usize,
    },
    /// Positions by outcome and turns to the end, and the longest wins
    #[command(
        after_help = "Examples:\n  retrograde stats touchdown\n  retrograde stats tactics --out tactics.svg\n  \
                            retrograde stats touchdown --seed-numbering"
    )]
    Stats {
        /// A game, such as touchdown:5x4
        game: String,
        /// Write a plot (.svg or .png)
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Count positions that cannot occur as well, where the solver left them out: once, for as long as solving takes
        #[arg(long)]
        all_positions: bool,
        /// Memory to use for that, such as 8G or 500M [default: what is free]
        #[arg(long, value_name = "SIZE", value_parser = crate::output::parse_size, requires = "all_positions")]
        memory: Option<u64>,
        /// The statistics of seed 004's 24-bit numbering (touchdown:4x4)
        #[arg(long, conflicts_with = "all_positions")]
        seed_numbering: bool,
    },
    /// What placements are worth where a game begins with placing pieces
    #[command(after_help = "Examples:\n  retrograde openings pushfight:mini\n  \
                            retrograde openings pushfight:mini 'O:a2,b1 o:c3,c1' --limit 3")]
    Openings {
        /// A game, such as pushfight:mini
        game: String,
        /// A placement of the first player: what the second player can answer
        placement: Option<String>,
        /// How many of the best ones
        #[arg(long, default_value_t = 10, value_name = "N")]
        limit: usize,
    },
    /// How many positions can occur: what turns lead to from the start
    #[command(
        after_help = "Examples:\n  retrograde occurring touchdown\n  retrograde occurring pushfight:mini\n\n\
                      No table is needed or made. Of Push Fight a position counts that\n\
                      occurs, or whose image under a symmetry of the board does."
    )]
    Occurring {
        /// A game, such as touchdown:5x4
        game: String,
        /// Memory to use at the most, such as 8G or 500M [default: what is free]
        #[arg(long, value_name = "SIZE", value_parser = crate::output::parse_size)]
        memory: Option<u64>,
    },
    /// Positions with a given value
    #[command(after_help = "Examples:\n  retrograde find touchdown --outcome win --turns 11\n  \
                            retrograde find tactics --outcome loss --random --limit 3")]
    Find {
        /// A game, such as touchdown:5x4
        game: String,
        /// The outcome for the side to move
        #[arg(long, value_enum)]
        outcome: OutcomeWord,
        /// The turns to the end
        #[arg(long, value_name = "N")]
        turns: Option<u16>,
        /// At random instead of by index
        #[arg(long)]
        random: bool,
        /// Where random choices begin
        #[arg(long, default_value_t = 1, value_name = "N")]
        seed: u64,
        /// How many
        #[arg(long, default_value_t = 10, value_name = "N")]
        limit: u64,
    },
    /// Positions with exactly one good turn
    #[command(after_help = "Examples:\n  retrograde puzzles touchdown --turns 7\n  \
                            retrograde puzzles touchdown --kind save --solutions\n  \
                            retrograde puzzles touchdown --turns 5 --seed 1 --sheet sheet.svg")]
    Puzzles(puzzles::PuzzleArgs),
    /// Check the files of a table and its values
    #[command(after_help = "Examples:\n  retrograde verify touchdown\n  retrograde verify tactics --full")]
    Verify {
        /// A game, such as touchdown:5x4
        game: String,
        /// Derive so many random values again [default: 100000; of files without wins: 200]
        #[arg(long, value_name = "N")]
        sample: Option<u64>,
        /// Derive every value again: with turns that proves the table
        #[arg(long, conflicts_with = "sample")]
        full: bool,
        /// Memory to use where --full derives values together, such as 8G or 500M [default: what is free]
        #[arg(long, value_name = "SIZE", value_parser = crate::output::parse_size, requires = "full")]
        memory: Option<u64>,
    },
    /// The number of a position
    #[command(after_help = "Examples:\n  retrograde index touchdown 'OOOO/..../..../XXXX'\n  \
                            retrograde index touchdown --seed-numbering '..O./.OX./O..X/X...'")]
    Index {
        /// A game, such as touchdown:5x4
        game: String,
        /// The position
        position: String,
        #[command(flatten)]
        numbering: NumberingArgs,
    },
    /// The position that has a number
    #[command(after_help = "Examples:\n  retrograde position tactics 15\n  \
                            retrograde position touchdown --seed-numbering 0x341964")]
    Position {
        /// A game, such as touchdown:5x4
        game: String,
        /// The number, decimal or hexadecimal with 0x
        index: String,
        #[command(flatten)]
        numbering: NumberingArgs,
    },
    /// Count turns, as engine authors do
    #[command(after_help = "Examples:\n  retrograde perft touchdown --depth 4")]
    Perft {
        /// A game, such as touchdown:5x4
        game: String,
        /// The position [default: the start]
        position: Option<String>,
        /// Turns to look ahead
        #[arg(long, value_name = "N")]
        depth: u32,
    },
    /// Draw a position (.svg, .png) or a sequence of turns (.gif)
    #[command(after_help = "Examples:\n  retrograde render touchdown --out start.svg\n  \
                            retrograde render tactics --turns 'a4-c4 b1' --out game.gif")]
    Render {
        /// A game, such as touchdown:5x4
        game: String,
        /// The position [default: the start]
        position: Option<String>,
        /// Turns from there, parted by blanks, as `line` or `play` show them
        #[arg(long, value_name = "TURNS", num_args = 1..)]
        turns: Vec<String>,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Pixels across, of .png and .gif
        #[arg(long, default_value_t = 640, value_name = "N")]
        width: u32,
        /// Light on dark
        #[arg(long)]
        dark: bool,
    },
    /// Write the data set of a table (.csv, .npy, .parquet), or the game as a page that stands alone
    #[command(after_help = "Examples:\n  retrograde export tactics --out tactics.csv\n  \
                            retrograde export touchdown --out touchdown.npy --sample 10000\n  \
                            retrograde export touchdown --format html --out touchdown.html\n  \
                            retrograde export pushfight --format phase0 --chunk 3591 --out chunk-3591.bin")]
    Export {
        /// A game, such as touchdown:5x4
        game: String,
        /// The file to write; its ending says the form
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// The first so many rows only
        #[arg(long, value_name = "N")]
        limit: Option<u64>,
        /// So many rows, chosen at random
        #[arg(long, value_name = "N", conflicts_with = "limit")]
        sample: Option<u64>,
        /// Where random choices begin
        #[arg(long, default_value_t = 1, value_name = "N")]
        seed: u64,
        /// html: one page for the browser, with the table in it; or a form of Push Fight's first complete solve: phase0,
        /// phase:N, merged or minimized
        #[arg(long, value_name = "FORM", conflicts_with_all = ["limit", "sample"])]
        format: Option<String>,
        /// With --format: which chunk of 54,054,000 positions
        #[arg(long, value_name = "N", requires = "format")]
        chunk: Option<u64>,
        /// With --format: the first number
        #[arg(long, value_name = "N", requires = "format", conflicts_with = "chunk")]
        from: Option<u64>,
        /// With --format: how many numbers
        #[arg(long, value_name = "N", requires = "format", conflicts_with = "chunk")]
        count: Option<u64>,
    },
    /// Play against it in the terminal
    #[command(
        after_help = "Examples:\n  retrograde play touchdown\n  retrograde play tactics --strength 3 --second"
    )]
    Play {
        /// A game, such as touchdown:5x4
        game: String,
        /// The position to begin with [default: the start]
        position: Option<String>,
        /// Look only so many turns ahead: what ends later counts as a draw [default: all]
        #[arg(long, value_name = "N")]
        strength: Option<u16>,
        /// You are the second player
        #[arg(long)]
        second: bool,
        /// Where random choices begin
        #[arg(long, default_value_t = 1, value_name = "N")]
        seed: u64,
        #[command(flatten)]
        search: Search,
    },
    /// Answer over HTTP, until Ctrl-C
    #[cfg(feature = "serve")]
    #[command(after_help = "Examples:\n  retrograde serve\n  \
                            retrograde serve --listen 0.0.0.0:80 --rate 50 --log json\n  \
                            curl 'http://127.0.0.1:8080/api/v1/games/touchdown/positions'")]
    Serve(serve::Serve),
    /// Mark the turns of a played game
    #[command(after_help = "The file has one turn a line; # begins a comment.\n\nExamples:\n  \
                            retrograde annotate touchdown game.txt\n  retrograde annotate tactics - < game.txt")]
    Annotate {
        /// A game, such as touchdown:5x4
        game: String,
        /// The file, or `-` for standard input
        file: PathBuf,
        #[command(flatten)]
        search: Search,
    },
    /// Check or show a Push Fight board of any size
    #[command(
        after_help = "Examples:\n  retrograde board check my.board\n  retrograde board show my.board --out my.svg"
    )]
    Board {
        /// What to do
        #[command(subcommand)]
        command: general::BoardCommand,
    },
    /// Can the side to move eject a piece this turn? On Push Fight boards of any size
    #[command(
        after_help = "A BOARD that begins with + is a drawing, its lines joined by /.\n\nExamples:\n  \
                            retrograde mate my.board\n  retrograde mate my.board --moves 2 --json\n  \
                            retrograde mate '+-+-+-+-+/ . o O x /+-+-+-+-+' --moves unlimited"
    )]
    Mate(general::MateArgs),
    /// Turn hard problems into Push Fight boards: Steiner trees, quantified formulas
    #[command(after_help = "Examples:\n  retrograde reduce steiner '0,0 2,3 4,1'\n  \
                            retrograde reduce qbf formula.qdimacs --out formula.board")]
    Reduce {
        /// Which reduction
        #[command(subcommand)]
        command: general::ReduceCommand,
    },
    /// Print a completion script for a shell
    #[command(after_help = "Examples:\n  retrograde completions bash > /etc/bash_completion.d/retrograde")]
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// How to solve.
#[derive(Args, Debug)]
pub struct How {
    /// Memory to use at the most, such as 8G or 500M [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = crate::output::parse_size)]
    pub memory: Option<u64>,
    /// Decide only positions that end within N turns
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub phases: Option<u16>,
    /// Keep outcomes without turns
    #[arg(long)]
    pub outcome_only: bool,
    /// Solve only positions that occur from the start
    #[arg(long)]
    pub occurring: bool,
    /// Of a large Push Fight board keep wins too: more disk, faster answers
    #[arg(long)]
    pub with_wins: bool,
}

/// How far to search where there is no table.
#[derive(Args, Debug)]
pub struct Search {
    /// Seconds to search a position without a table
    #[arg(long, default_value_t = 5.0, value_name = "SECONDS", value_parser = crate::output::parse_seconds)]
    pub time: f64,
    /// Positions to look at in a search
    #[arg(long, default_value_t = 10_000_000, value_name = "N")]
    pub nodes: u64,
}

/// Which numbering.
#[derive(Args, Debug)]
pub struct NumberingArgs {
    /// Seed 004's 24-bit numbering (touchdown:4x4)
    #[arg(long)]
    pub seed_numbering: bool,
    /// The numbering of plausible positions up to rotation (pushfight:standard)
    #[arg(long, conflicts_with = "seed_numbering")]
    pub minimized: bool,
}

impl NumberingArgs {
    /// The numbering's name, if one was asked for.
    pub fn name(&self) -> Option<&'static str> {
        match (self.seed_numbering, self.minimized) {
            (true, _) => Some("seed"),
            (_, true) => Some("minimized"),
            _ => None,
        }
    }
}

/// An outcome on the command line. Its words say all: with help of their own `--help` would be twice as long.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum OutcomeWord {
    Win,
    Loss,
    Draw,
}
