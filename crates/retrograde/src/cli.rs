//! The command line as `clap` reads it and `--help` shows it: every command with its description
//! and examples. The options of a command stand in its file in `commands/`.

use std::path::PathBuf;

use clap::{CommandFactory, Parser, Subcommand};

use crate::args::{number, parse_size};
use crate::commands::{
    annotate, certificate, completions, engine, export, find, games, index, line, matches, new, occurring,
    openings, perft, plan, play, position, probe, puzzles, render, rules, shades, solve, stats, verify,
};
use crate::context::Context;
use crate::exit::CommandResult;

#[cfg(feature = "manual")]
use crate::commands::manual;
#[cfg(feature = "serve")]
use crate::commands::serve;
#[cfg(feature = "games")]
use crate::commands::{board, mate, reduce};

/// Heading of the options that every command has.
const EVERYWHERE: &str = "Options of every command";

/// Retrograde finds perfect play in board games.
#[derive(Parser, Debug)]
#[command(
    name = "retrograde",
    version,
    about = "Finds perfect play: solves board games, keeps the answers in tables, and lets you explore them.",
    max_term_width = 100,
    after_help = "Examples:\n  retrograde solve            solve three games and show who wins\n  \
                  retrograde probe touchdown  the value of the start and of every turn\n  \
                  retrograde play tactics     play against perfect play"
)]
pub(crate) struct Cli {
    /// Folder of the tables, or https://… of a site with tables; may be repeated, and the first
    /// folder with a table is used [default: $RETROGRADE_TABLES, or tables]
    #[arg(long, global = true, value_name = "DIR", help_heading = EVERYWHERE)]
    pub tables: Vec<PathBuf>,
    /// Threads to use [default: all cores]
    #[arg(
        long,
        global = true,
        value_name = "N",
        help_heading = EVERYWHERE,
        value_parser = number::<u16>(1..=1024, "--threads 4")
    )]
    pub threads: Option<u16>,
    /// The most memory to use, such as 8G or 500M [default: what is free, less 1 GiB or a tenth]
    #[arg(long, global = true, value_name = "SIZE", help_heading = EVERYWHERE, value_parser = parse_size)]
    pub memory: Option<u64>,
    /// Replace files that exist
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub force: bool,
    /// Print JSON, one object a line
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub json: bool,
    /// The command
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// List games, variants and numbers of positions
    #[command(after_help = "Examples:\n  retrograde games\n  retrograde games touchdown --numbering 24-bit")]
    Games(games::GamesArgs),
    /// Show the rules of a game, with three boards
    #[command(
        after_help = "Examples:\n  retrograde rules pushfight\n  retrograde rules tactics:5x4,line=3,normal"
    )]
    Rules(rules::RulesArgs),
    /// Show the memory, disk and time that solving a game needs
    #[command(
        after_help = "Examples:\n  retrograde plan touchdown:5x5\n  retrograde plan tactics:6x6 --json\n  \
                            retrograde plan touchdown:6x5 --hosts 8"
    )]
    Plan(plan::PlanArgs),
    /// Solve games and write their tables; resume interrupted runs
    #[command(
        after_help = "Without a game: tactics, touchdown and pushfight:mini. Ctrl-C and SIGTERM stop a solve,\n\
                      with status 130 and 143; the same command resumes from what was saved, if\n\
                      anything was.\n\nExamples:\n  retrograde solve\n  \
                            retrograde solve tactics:5x5 touchdown:5x4\n  \
                            retrograde solve tactics:6x6 --memory 10G\n  \
                            retrograde solve touchdown:6x4 --processes 2\n  \
                            retrograde solve touchdown:6x5 --hosts my.hosts --process 0 --key my.key"
    )]
    Solve(solve::args::SolveArgs),
    /// Show the value of a position and of every turn, best first
    #[command(
        after_help = "Examples:\n  retrograde probe touchdown\n  retrograde probe touchdown '...O/..O./..../.XX.'\n  \
                            retrograde probe pushfight:mini --pressure\n  \
                            retrograde probe tactics - --json < positions.txt"
    )]
    Probe(probe::ProbeArgs),
    /// Show one best line to the end
    #[command(after_help = "Examples:\n  retrograde line tactics\n  retrograde line touchdown --boards")]
    Line(line::LineArgs),
    /// Count positions by outcome and turns to the end; show a longest win
    #[command(
        after_help = "Examples:\n  retrograde stats touchdown\n  retrograde stats tactics --out tactics.svg\n  \
                            retrograde stats touchdown --numbering 24-bit"
    )]
    Stats(stats::StatsArgs),
    /// Tell draws apart: find who presses, and in how many turns
    #[command(after_help = "A draw in which exactly one turn holds is a task. A side presses if it forces\n\
                      the other into a task before it stands in one itself: docs/solvers.md. What is\n\
                      found is kept beside the table, and `probe`, `stats` and `play` use it.\n\n\
                      Examples:\n  retrograde shades pushfight:mini\n  \
                            retrograde shades pushfight:mini --out shades.svg")]
    Shades(shades::ShadesArgs),
    /// Show the values of placements in a game that begins with placing pieces
    #[command(after_help = "Examples:\n  retrograde openings pushfight:mini\n  \
                            retrograde openings pushfight:mini 'O:a2,b1 o:c3,c1' --limit 3")]
    Openings(openings::OpeningsArgs),
    /// Count the positions that can occur: those that turns reach from the start
    #[command(
        after_help = "Examples:\n  retrograde occurring touchdown\n  retrograde occurring pushfight:mini\n\n\
                      This neither needs nor makes a table. In Push Fight a position counts if it\n\
                      occurs, or if its image under a symmetry of the board does."
    )]
    Occurring(occurring::OccurringArgs),
    /// Find positions with a given value
    #[command(after_help = "Examples:\n  retrograde find touchdown --outcome win --turns 11\n  \
                            retrograde find tactics --outcome loss --random --limit 3")]
    Find(find::FindArgs),
    /// Find positions with exactly one good turn
    #[command(after_help = "Examples:\n  retrograde puzzles touchdown --turns 7\n  \
                            retrograde puzzles touchdown --kind save --solutions\n  \
                            retrograde puzzles touchdown --turns 5 --seed 1 --sheet sheet.svg")]
    Puzzles(puzzles::args::PuzzlesArgs),
    /// Check the files of a table and its values
    #[command(after_help = "Examples:\n  retrograde verify touchdown\n  retrograde verify tactics --full")]
    Verify(verify::VerifyArgs),
    /// Write a file that proves that a side never loses
    #[command(after_help = "The file has a set of positions and a turn of each, by which the set is never\n\
                      left; a program checks it with the rules alone: docs/draw-certificate.md.\n\n\
                      Examples:\n  \
                            retrograde certificate pushfight:mini,pawns=1 --out a.cert\n  \
                            retrograde certificate pushfight:mini,pawns=1 --side blue --out b.cert")]
    Certificate(certificate::CertificateArgs),
    /// Show the number of a position
    #[command(after_help = "Examples:\n  retrograde index touchdown 'OOOO/..../..../XXXX'\n  \
                            retrograde index touchdown --numbering 24-bit '..O./.OX./O..X/X...'")]
    Index(index::IndexArgs),
    /// Show the position that has a number
    #[command(after_help = "Examples:\n  retrograde position tactics 15\n  \
                            retrograde position touchdown --numbering 24-bit 0x341964")]
    Position(position::PositionArgs),
    /// Count the leaves of the game tree, to test move generators
    #[command(
        after_help = "It counts the ways to play exactly N turns. At each position the turns that lead to\n\
                      the same position count once. A game that is over earlier adds nothing.\n\n\
                      Examples:\n  retrograde perft touchdown --depth 4"
    )]
    Perft(perft::PerftArgs),
    /// Draw a position (.svg, .png) or a sequence of turns (.gif)
    #[command(after_help = "Examples:\n  retrograde render touchdown --out start.svg\n  \
                            retrograde render tactics --turns 'a4-c4 b1' --out game.gif")]
    Render(render::RenderArgs),
    /// Write a table as a data set (.csv, .npy, .parquet) or a page, or games as a site
    #[command(after_help = "Examples:\n  retrograde export tactics --out tactics.csv\n  \
                            retrograde export touchdown --out touchdown.npy --sample 10000\n  \
                            retrograde export touchdown --format html --out touchdown.html\n  \
                            retrograde export site --out site touchdown tactics\n  \
                            retrograde export pushfight --format phase0 --chunk 3591 --out chunk-3591.bin")]
    Export(export::args::ExportArgs),
    /// Play against the computer in the terminal
    #[command(
        after_help = "Examples:\n  retrograde play touchdown\n  retrograde play tactics --strength 3 --blue"
    )]
    Play(play::PlayArgs),
    /// Answer other programs on standard input and output: UGI, or queries in JSON
    #[command(
        after_help = "Turns are written in one word, as the board shows them; docs/engines.md has the words.\n\n\
                      Examples:\n  retrograde engine touchdown\n  \
                            retrograde engine tactics --strength 3,errs=15%\n  \
                            printf 'position startpos moves a1a2\\ngo\\n' | retrograde engine touchdown"
    )]
    Engine(engine::EngineArgs),
    /// Let two players play games against each other, and judge their turns
    #[command(
        after_help = "A player whose turn is illegal, who takes too long, or who crashes, loses the game.\n\
                      A position that comes for the third time is a draw.\n\nExamples:\n  \
                            retrograde match perfect 3 --game touchdown --games 20\n  \
                            retrograde match ./my-engine random --game tactics --records games"
    )]
    Match(matches::MatchArgs),
    /// Serve the explorer and the HTTP API until Ctrl-C
    #[cfg(feature = "serve")]
    #[command(after_help = "Examples:\n  retrograde serve\n  \
                            retrograde serve --listen 0.0.0.0:80 --rate 50 --log json\n  \
                            curl 'http://127.0.0.1:8080/api/v1/games/touchdown/positions'")]
    Serve(serve::ServeArgs),
    /// Mark the good and bad turns of a played game
    #[command(after_help = "The file is a record, as `play` and the explorer save one: one turn a line,\n\
                      # begins a comment (docs/records.md).\n\nExamples:\n  \
                            retrograde annotate touchdown game.txt\n  retrograde annotate tactics - < game.txt")]
    Annotate(annotate::AnnotateArgs),
    /// Check or show a Push Fight board of any size
    #[cfg(feature = "games")]
    #[command(
        after_help = "Examples:\n  retrograde board check my.board\n  retrograde board show my.board --out my.svg"
    )]
    Board {
        /// The action
        #[command(subcommand)]
        command: board::BoardCommand,
    },
    /// Find mate in one: can the side to move eject a piece this turn?
    #[cfg(feature = "games")]
    #[command(after_help = "BOARD is a Push Fight board of any size; one that begins with + is a drawing,\n\
                      its lines joined by /. A push that ejects an own piece is no turn.\n\nExamples:\n  \
                            retrograde mate my.board\n  retrograde mate my.board --moves 2 --json\n  \
                            retrograde mate '+-+-+-+-+/ . o O x /+-+-+-+-+' --moves unlimited")]
    Mate(mate::MateArgs),
    /// Turn Steiner trees and quantified formulas into Push Fight boards
    #[cfg(feature = "games")]
    #[command(after_help = "Examples:\n  retrograde reduce steiner '0,0 2,3 4,1'\n  \
                            retrograde reduce qbf formula.qdimacs --out formula.board")]
    Reduce {
        /// The problem to reduce
        #[command(subcommand)]
        command: reduce::ReduceCommand,
    },
    /// Begin a game of your own: a crate that builds, solves and tests
    #[command(
        after_help = "The game in it is three in a row, to be made your own: docs/write-your-own-game.md.\n\n\
                      Examples:\n  retrograde new my-game\n  \
                            retrograde new my-game --path ~/src/retrograde"
    )]
    New(new::NewArgs),
    /// Print a completion script for a shell
    #[command(after_help = "Examples:\n  retrograde completions bash > /etc/bash_completion.d/retrograde")]
    Completions(completions::CompletionsArgs),
    /// Write the manual pages of all commands into a folder
    #[cfg(feature = "manual")]
    #[command(hide = true, after_help = "Examples:\n  retrograde manual --out man1")]
    Manual(manual::ManualArgs),
}

impl Command {
    /// Runs the command.
    pub(crate) fn run(self, context: &mut Context) -> CommandResult {
        match self {
            Command::Games(args) => games::run(context, &args),
            Command::Rules(args) => rules::run(context, &args),
            Command::Plan(args) => plan::run(context, &args),
            Command::Solve(args) => solve::run(context, &args),
            Command::Probe(args) => probe::run(context, &args),
            Command::Line(args) => line::run(context, &args),
            Command::Stats(args) => stats::run(context, &args),
            Command::Shades(args) => shades::run(context, &args),
            Command::Openings(args) => openings::run(context, &args),
            Command::Occurring(args) => occurring::run(context, &args),
            Command::Find(args) => find::run(context, &args),
            Command::Puzzles(args) => puzzles::run(context, &args),
            Command::Verify(args) => verify::run(context, &args),
            Command::Certificate(args) => certificate::run(context, &args),
            Command::Index(args) => index::run(context, &args),
            Command::Position(args) => position::run(context, &args),
            Command::Perft(args) => perft::run(context, &args),
            Command::Render(args) => render::run(context, &args),
            Command::Export(args) => export::run(context, &args),
            Command::Play(args) => play::run(context, &args),
            Command::Engine(args) => engine::run(context, &args),
            Command::Match(args) => matches::run(context, &args),
            #[cfg(feature = "serve")]
            Command::Serve(args) => serve::run(context, &args),
            Command::Annotate(args) => annotate::run(context, &args),
            #[cfg(feature = "games")]
            Command::Board { command } => board::run(context, &command),
            #[cfg(feature = "games")]
            Command::Mate(args) => mate::run(context, &args),
            #[cfg(feature = "games")]
            Command::Reduce { command } => reduce::run(context, &command),
            Command::New(args) => new::run(context, &args),
            Command::Completions(args) => completions::run(context, &mut Cli::command(), &args),
            #[cfg(feature = "manual")]
            Command::Manual(args) => manual::run(context, Cli::command(), &args),
        }
    }

    /// Why the command does not ask a site, if it does not.
    pub(crate) fn needs_folder(&self) -> Option<String> {
        let (name, why) = match self {
            Command::Solve(_) => ("solve", "writes tables"),
            Command::Plan(_) => ("plan", "looks at the disk that tables are written to"),
            Command::Verify(_) => ("verify", "reads all of a table"),
            Command::Certificate(_) => ("certificate", "reads most of a table"),
            Command::Export(_) => ("export", "reads all of a table"),
            #[cfg(feature = "serve")]
            Command::Serve(_) => ("serve", "answers strangers, who would all load from the site"),
            _ => return None,
        };
        Some(format!("`{name}` {why}, so --tables has to name a folder, not the address of a site"))
    }
}
