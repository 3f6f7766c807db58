//! `completions`: prints a completion script for a shell.

use std::io::{self, Write};

use clap::Args;
use clap_complete::Shell;

use crate::output::program_name;
use crate::program::context::Context;
use crate::program::exit::{CommandResult, Exit};
use crate::program::self_description;

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  retrograde completions bash > /etc/bash_completion.d/retrograde")]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(context: &Context, args: &CompletionsArgs) -> CommandResult {
    if context.json {
        return Err("`completions` does not support --json".into());
    }
    let mut script = Vec::new();
    let mut program = self_description::command(&context.registry);
    clap_complete::generate(args.shell, &mut program, program_name(), &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::Success)
}
