//! `completions`: prints a completion script for a shell.

use std::io::{self, Write};

use clap::Args;
use clap_complete::Shell;

use crate::output::program_name;
use crate::program::context::Context;
use crate::program::exit::{CommandResult, Exit};

/// The options of `completions`.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(context: &Context, program: &mut clap::Command, args: &CompletionsArgs) -> CommandResult {
    if context.json {
        return Err("`completions` does not support --json".into());
    }
    let mut script = Vec::new();
    clap_complete::generate(args.shell, program, program_name(), &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::Success)
}
