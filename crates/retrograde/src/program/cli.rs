//! The command line as `clap` parses it and `--help` shows it: the options that all commands share, and the
//! commands, whose descriptions, examples and options are in their files in `commands/`.

use std::path::PathBuf;

use clap::{ArgMatches, Args, CommandFactory, Parser};

use super::args::{number, parse_size};
use super::context::Context;
use super::exit::CommandResult;
use crate::commands;

/// Heading of the options that all commands share.
const GLOBAL_OPTIONS: &str = "Global options";

/// Retrograde finds perfect play in board games.
#[derive(Parser, Debug)]
#[command(
    name = "retrograde",
    version,
    about = "Finds perfect play: solves board games, keeps the answers in tables, and lets you explore them.",
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true
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
}

/// A command.
pub(crate) struct Command {
    name: &'static str,
    /// Why it cannot use a site, if it cannot.
    needs_folder: Option<&'static str>,
    /// Adds its description and options.
    describe: fn(clap::Command) -> clap::Command,
    run: Box<Run>,
}

type Run = dyn Fn(&Context, &ArgMatches) -> CommandResult;

impl Command {
    /// A command with the options `A`, whose description and examples are its own.
    pub(crate) fn new<A: Args + 'static>(
        name: &'static str,
        run: fn(&Context, &A) -> CommandResult,
    ) -> Command {
        let run = move |context: &Context, options: &ArgMatches| run(context, &A::from_arg_matches(options)?);
        Command { name, needs_folder: None, describe: A::augment_args, run: Box::new(run) }
    }

    /// Says why it cannot use a site.
    pub(crate) fn needs_folder(self, why: &'static str) -> Command {
        Command { needs_folder: Some(why), ..self }
    }

    /// The command that was typed, and its options.
    pub(crate) fn chosen(matches: &ArgMatches) -> Option<(Command, &ArgMatches)> {
        let (name, options) = matches.subcommand()?;
        Some((commands::all().into_iter().find(|command| command.name == name)?, options))
    }

    /// Runs the command.
    pub(crate) fn run(&self, context: &Context, options: &ArgMatches) -> CommandResult {
        (self.run)(context, options)
    }

    /// Why the command cannot use a site, if it cannot.
    pub(crate) fn refuses_site(&self) -> Option<String> {
        let (name, why) = (self.name, self.needs_folder?);
        Some(format!("`{name}` {why}, so --tables must be a folder, not the address of a site"))
    }
}

/// The program with its commands.
pub(crate) fn program() -> clap::Command {
    let add = |command: &Command| (command.describe)(clap::Command::new(command.name));
    Cli::command().subcommands(commands::all().iter().map(add))
}
