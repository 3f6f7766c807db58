//! `manual`: writes manual pages for all commands, for packages. The command is hidden and needs
//! the feature `manual`.
//!
//! The pages are made from `--help`. clap_mangen would join the lines of the examples, so the text
//! after the options is formatted here.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::files::write_file;
use crate::program::context::Context;
use crate::program::exit::{CommandResult, Exit};
use crate::program::self_description;

/// Write the manual pages of all commands into a folder
#[derive(Args, Debug)]
#[command(hide = true, after_help = "Examples:\n  retrograde manual --out man1")]
pub(crate) struct ManualArgs {
    /// The folder for the pages, created if necessary
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(crate) fn run(context: &Context, args: &ManualArgs) -> CommandResult {
    if context.json {
        return Err("`manual` does not support --json".into());
    }
    let folder = &args.out;
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for (name, page) in pages(self_description::command(&context.registry))? {
        write_file(&folder.join(name), &page)?;
    }
    Ok(Exit::Success)
}

/// The names and texts of the pages of the program and of each command that `--help` lists.
fn pages(program: Command) -> std::io::Result<Vec<(String, Vec<u8>)>> {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let mut open = vec![program];
    let mut pages = Vec::new();
    while let Some(command) = open.pop() {
        open.extend(command.get_subcommands().filter(|command| !command.is_hide_set()).cloned());
        pages.push(page(command)?);
    }
    Ok(pages)
}

/// The name and text of the page of one command.
fn page(command: Command) -> std::io::Result<(String, Vec<u8>)> {
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    let has_commands = command.get_subcommands().any(|command| !command.is_hide_set());
    let man = Man::new(command).source(format!("Retrograde {version}")).manual("Retrograde");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if has_commands {
        man.render_subcommands_section(&mut text)?;
    }
    after_options(&after).to_writer(&mut text)?;
    Ok((man.get_filename(), text))
}

/// The text after the options: notes, then examples.
fn after_options(text: &str) -> Roff {
    let mut roff = Roff::new();
    let (notes, examples) = text.split_once("Examples:\n").unwrap_or((text, ""));
    if !notes.trim().is_empty() {
        roff.control("SH", ["NOTES"]);
        for line in notes.lines() {
            if line.is_empty() {
                roff.control("PP", []);
            } else {
                roff.text([roman(line)]);
            }
        }
    }
    if !examples.is_empty() {
        roff.control("SH", ["EXAMPLES"]);
        roff.control("nf", []);
        for line in examples.lines() {
            roff.text([roman(line.trim_start())]);
        }
        roff.control("fi", []);
    }
    roff
}
