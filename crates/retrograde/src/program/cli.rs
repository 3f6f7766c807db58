//! The command line as `clap` parses it and `--help` shows it: every command with its description
//! and examples. The options of each command are in its file in `commands/`.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use super::args::{number, parse_size};
use super::context::Context;
use super::exit::CommandResult;
use super::self_description;
use crate::commands::{
    annotate, bench, certificate, completions, engine, export, find, games, index, line, matches, new,
    openings, perft, plan, play, probe, puzzles, reachable, render, rules, shades, solve, stats, survey,
    verify,
};

#[cfg(feature = "manual")]
use crate::commands::manual;
#[cfg(feature = "serve")]
use crate::commands::serve;
#[cfg(feature = "games")]
use crate::commands::{board, mate, reduce};

/// Heading of the options that all commands share.
const GLOBAL_OPTIONS: &str = "Global options";

/// Retrograde finds perfect play in board games.
#[derive(Parser, Debug)]
#[command(
    name = "retrograde",
    version,
    about = "Finds perfect play: solves board games, keeps the answers in tables, and lets you explore them.",
    max_term_width = 100
)]
pub(crate) struct Cli {
    /// Folder with tables, or the https:// address of a site; if repeated, the first folder that
    /// has the table is used [default: $RETROGRADE_TABLES, or tables]
    #[arg(long, global = true, value_name = "DIR", help_heading = GLOBAL_OPTIONS)]
    pub tables: Vec<PathBuf>,
    /// Threads to use [default: all cores]
    #[arg(long, global = true, help_heading = GLOBAL_OPTIONS, value_parser = number::<u16>(1..=1024, 4))]
    pub threads: Option<u16>,
    /// Memory limit, such as 8G or 500M [default: free memory minus 10% (at least 1 GiB)]
    #[arg(long, global = true, value_name = "SIZE", help_heading = GLOBAL_OPTIONS, value_parser = parse_size)]
    pub memory: Option<u64>,
    /// Overwrite existing files
    #[arg(long, global = true, help_heading = GLOBAL_OPTIONS)]
    pub force: bool,
    /// Print JSON, one object per line
    #[arg(long, global = true, help_heading = GLOBAL_OPTIONS)]
    pub json: bool,
    /// The command
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// List the games, their variants and the number of positions
    #[command(after_help = "Examples:\n  retrograde games\n  retrograde games touchdown --numbering 24-bit")]
    Games(games::GamesArgs),
    /// Show the rules of a game, with examples
    #[command(
        after_help = "Examples:\n  retrograde rules {game}\n  retrograde rules tactics:5x4,line=3,normal"
    )]
    Rules(rules::RulesArgs),
    /// Estimate the memory, disk space and time needed to solve a game
    #[command(after_help = "Examples:\n  retrograde plan touchdown:5x5\n  retrograde plan {game} --json\n  \
                            retrograde plan touchdown:6x5 --hosts 8")]
    Plan(plan::PlanArgs),
    /// Solve games and write their tables; resume interrupted runs
    #[command(
        after_help = "Without GAMES it solves some small ones. Ctrl-C (status 130) and SIGTERM (143)\n\
                      stop a solve. Run the same command again to resume from the last checkpoint,\n\
                      if there is one.\n\nExamples:\n  retrograde solve\n  \
                            retrograde solve tactics:5x5 touchdown:5x4\n  \
                            retrograde solve tactics:6x6 --memory 10G\n  \
                            retrograde solve {game} --processes 2\n  \
                            retrograde solve touchdown:6x5 --hosts my.hosts --process 0 --key my.key"
    )]
    Solve(solve::args::SolveArgs),
    /// Show the value of a position and of every turn, best first
    #[command(
        after_help = "Examples:\n  retrograde probe {game}\n  retrograde probe touchdown '...O/..O./..../.XX.'\n  \
                            retrograde probe {game} --pressure\n  \
                            retrograde probe {game} - --json < positions.txt"
    )]
    Probe(probe::ProbeArgs),
    /// Show one best line to the end
    #[command(after_help = "Examples:\n  retrograde line {game}\n  retrograde line {game} --boards")]
    Line(line::LineArgs),
    /// Count positions by outcome and turns to the end; show the longest win
    #[command(
        after_help = "Examples:\n  retrograde stats {game}\n  retrograde stats {game} --out stats.svg\n  \
                            retrograde stats touchdown --numbering 24-bit"
    )]
    Stats(stats::StatsArgs),
    /// Solve variants of games and compare them in a table
    #[command(after_help = "Variants without a table are solved in memory. Their tables can be many and\n\
                      large, so only --keep writes them. Quote the names, because shells also use\n\
                      braces. A name that is not a game, or a variant that does not fit into\n\
                      --memory, is listed with the reason. Ctrl-C keeps the finished rows.\n\n\
                      Examples:\n  retrograde survey 'pushfight:mini,moves={0..3},pawns={1,2}'\n  \
                            retrograde survey 'tactics:{2..4}x{3,4}' --out survey.csv\n  \
                            retrograde survey {game} --json")]
    Survey(survey::SurveyArgs),
    /// Classify draws: which side presses, and in how many turns
    #[command(after_help = "A task is a drawn position in which only one turn holds the draw. A side\n\
                      presses if it can force the other side into a task without facing one first\n\
                      (docs/solvers.md). The results are stored with the table, for `probe`, `stats`\n\
                      and `play`.\n\n\
                      Examples:\n  retrograde shades pushfight:mini\n  \
                            retrograde shades pushfight:mini --out shades.svg")]
    Shades(shades::ShadesArgs),
    /// Show the best placements in a game that begins with placing pieces
    #[command(after_help = "Examples:\n  retrograde openings pushfight:mini\n  \
                            retrograde openings pushfight:mini 'O:a2,b1 o:c3,c1' --limit 3")]
    Openings(openings::OpeningsArgs),
    /// Count the positions that can be reached from the start
    #[command(
        after_help = "Examples:\n  retrograde reachable {game}\n  retrograde reachable pushfight:mini\n\n\
                      This does not need a table. Symmetric positions with the same index all count if\n\
                      one of them can be reached."
    )]
    Reachable(reachable::ReachableArgs),
    /// Find positions with a given value
    #[command(after_help = "Examples:\n  retrograde find {game} --outcome win --turns 11\n  \
                            retrograde find {game} --outcome loss --random --limit 3")]
    Find(find::FindArgs),
    /// Find positions with exactly one good turn
    #[command(after_help = "Examples:\n  retrograde puzzles {game} --turns 7\n  \
                            retrograde puzzles {game} --kind save --solutions\n  \
                            retrograde puzzles {game} --turns 5 --seed 1 --sheet sheet.svg")]
    Puzzles(puzzles::args::PuzzlesArgs),
    /// Check the files and values of a table
    #[command(after_help = "Examples:\n  retrograde verify {game}\n  retrograde verify {game} --full")]
    Verify(verify::VerifyArgs),
    /// Write a proof that one side never loses
    #[command(
        after_help = "The file lists positions, each with a turn after which no reply leaves the list.\n\
                      A small program checks it with the rules alone (docs/draw-certificate.md).\n\n\
                      Examples:\n  \
                            retrograde certificate pushfight:mini,pawns=1 --out a.cert\n  \
                            retrograde certificate pushfight:mini,pawns=1 --side blue --out b.cert"
    )]
    Certificate(certificate::CertificateArgs),
    /// Show the index of a position
    #[command(after_help = "Examples:\n  retrograde index touchdown 'OOOO/..../..../XXXX'\n  \
                            retrograde index touchdown --numbering 24-bit '..O./.OX./O..X/X...'")]
    Index(index::IndexArgs),
    /// Show the position with a given index
    #[command(after_help = "Examples:\n  retrograde position {game} 15\n  \
                            retrograde position touchdown --numbering 24-bit 0x341964")]
    Position(index::PositionArgs),
    /// Count the leaves of the game tree, to test move generators
    #[command(
        after_help = "It counts the ways to play exactly N turns. Turns from one position to the same\n\
                      next position count once. Games that end earlier are not counted.\n\n\
                      Examples:\n  retrograde perft {game} --depth 4"
    )]
    Perft(perft::PerftArgs),
    /// Draw a position (.svg, .png) or a sequence of turns (.gif)
    #[command(after_help = "Examples:\n  retrograde render {game} --out start.svg\n  \
                            retrograde render tactics --turns 'a4-c4 b1' --out game.gif")]
    Render(render::RenderArgs),
    /// Export a table as a data set (.csv, .npy, .parquet) or web page, or games as a site
    #[command(after_help = "Examples:\n  retrograde export {game} --out data.csv\n  \
                            retrograde export {game} --out data.npy --sample 10000\n  \
                            retrograde export {game} --format html --out game.html\n  \
                            retrograde export site --out site {game}\n  \
                            retrograde export pushfight --format phase0 --chunk 3591 --out chunk-3591.bin\n\n\
                      Push Fight formats: phase0, phase:N, merged and minimized (docs/data-sets.md).")]
    Export(export::args::ExportArgs),
    /// Play against the computer in the terminal
    #[command(
        after_help = "Examples:\n  retrograde play {game}\n  retrograde play {game} --strength 3 --blue"
    )]
    Play(play::PlayArgs),
    /// Run as an engine on standard input and output (UGI, or JSON queries)
    #[command(
        after_help = "Turns are written in board coordinates, without spaces. See docs/engines.md for\n\
                      the protocols.\n\n\
                      Examples:\n  retrograde engine {game}\n  \
                            retrograde engine {game} --strength 3,errs=15%\n  \
                            printf 'position startpos moves a1a2\\ngo\\n' | retrograde engine touchdown"
    )]
    Engine(engine::EngineArgs),
    /// Play a match between two players and judge their turns
    #[command(
        after_help = "A player that plays an illegal turn, runs out of time or crashes loses the game.\n\
                      A position that occurs for the third time is a draw.\n\nExamples:\n  \
                            retrograde match perfect 3 --game {game} --games 20\n  \
                            retrograde match ./my-engine random --game {game} --records games"
    )]
    Match(matches::MatchArgs),
    /// Score players on an evaluation set
    #[command(
        after_help = "Every measure has a 95% confidence interval. The first player, `random`, is not\n\
                      played but computed: the exact average of random turns. docs/data-sets.md\n\
                      describes evaluation sets and measures.\n\nExamples:\n  \
                            retrograde export evaluation {game} --out set\n  \
                            retrograde bench {game} set 3 ./my-engine\n  \
                            retrograde bench {game} set --answers answers.jsonl --markdown"
    )]
    Bench(bench::BenchArgs),
    /// Serve the explorer and the HTTP API until Ctrl-C
    #[cfg(feature = "serve")]
    #[command(after_help = "Examples:\n  retrograde serve\n  \
                            retrograde serve --listen 0.0.0.0:80 --rate 50 --log json\n  \
                            curl 'http://127.0.0.1:8080/api/v1/games/{game}/positions'")]
    Serve(serve::ServeArgs),
    /// Mark the good and bad turns of a recorded game
    #[command(
        after_help = "FILE is a record, as `play` and the explorer save them: one turn per line, and\n\
                      comments after # (docs/records.md).\n\nExamples:\n  \
                            retrograde annotate {game} game.txt\n  retrograde annotate {game} - < game.txt"
    )]
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
    /// Find mate in one on a Push Fight board
    #[cfg(feature = "games")]
    #[command(
        after_help = "BOARD is a Push Fight board of any size. Text that begins with + is a drawing,\n\
                      with / between its lines. A push must not eject one of the mover's own pieces.\n\nExamples:\n  \
                            retrograde mate my.board\n  retrograde mate my.board --moves 2 --json\n  \
                            retrograde mate '+-+-+-+-+/ . o O x /+-+-+-+-+' --moves unlimited"
    )]
    Mate(mate::MateArgs),
    /// Reduce Steiner trees and quantified formulas to Push Fight boards
    #[cfg(feature = "games")]
    #[command(after_help = "Examples:\n  retrograde reduce steiner '0,0 2,3 4,1'\n  \
                            retrograde reduce qbf formula.qdimacs --out formula.board")]
    Reduce {
        /// The problem to reduce
        #[command(subcommand)]
        command: reduce::ReduceCommand,
    },
    /// Create a crate for your own game, ready to build, solve and test
    #[command(
        after_help = "The crate contains the game three-in-a-row; docs/write-your-own-game.md explains how to\n\
                      turn it into your own game.\n\n\
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
            Command::Survey(args) => survey::run(context, &args),
            Command::Shades(args) => shades::run(context, &args),
            Command::Openings(args) => openings::run(context, &args),
            Command::Reachable(args) => reachable::run(context, &args),
            Command::Find(args) => find::run(context, &args),
            Command::Puzzles(args) => puzzles::run(context, &args),
            Command::Verify(args) => verify::run(context, &args),
            Command::Certificate(args) => certificate::run(context, &args),
            Command::Index(args) => index::run(context, &args),
            Command::Position(args) => index::show_position(context, &args),
            Command::Perft(args) => perft::run(context, &args),
            Command::Render(args) => render::run(context, &args),
            Command::Export(args) => export::run(context, &args),
            Command::Play(args) => play::run(context, &args),
            Command::Engine(args) => engine::run(context, &args),
            Command::Match(args) => matches::run(context, &args),
            Command::Bench(args) => bench::run(context, &args),
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
            Command::Completions(args) => {
                completions::run(context, &mut self_description::command(&context.registry), &args)
            }
            #[cfg(feature = "manual")]
            Command::Manual(args) => {
                manual::run(context, self_description::command(&context.registry), &args)
            }
        }
    }

    /// Why the command cannot use a site, if it cannot.
    pub(crate) fn needs_folder(&self) -> Option<String> {
        let (name, why) = match self {
            Command::Solve(_) => ("solve", "writes tables"),
            Command::Plan(_) => ("plan", "checks the disk that tables are written to"),
            Command::Survey(_) => ("survey", "solves games"),
            Command::Verify(_) => ("verify", "reads all of a table"),
            Command::Certificate(_) => ("certificate", "reads most of a table"),
            Command::Export(_) => ("export", "reads all of a table"),
            #[cfg(feature = "serve")]
            Command::Serve(_) => ("serve", "would load from the site for every client"),
            _ => return None,
        };
        Some(format!("`{name}` {why}, so --tables must be a folder, not the address of a site"))
    }
}
