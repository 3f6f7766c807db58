//! Parses the command line, runs the command and reports errors.

pub(crate) mod args;
pub(crate) mod cli;
pub(crate) mod context;
pub(crate) mod exit;
mod left_out;
pub(crate) mod self_description;
pub(crate) mod signals;
mod welcome;

use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::FromArgMatches;
use retrograde_explore::export::before_temporaries;
use retrograde_explore::{Registry, TableFolders};

use crate::output::failure::Failure;
use crate::output::{self, terminal};
use crate::program::cli::{Cli, Command};
use crate::program::context::Context;
use crate::tables::Site;

/// Runs the command line; `arguments` begin with the program's name.
///
/// Exit codes: 0 for success, 1 for a failure or a failed check, 2 for a usage error, 3 for no
/// result, 129, 130 and 143 for work stopped by SIGHUP, Ctrl-C or SIGTERM. Without a command it
/// prints a welcome message.
pub fn run<T: Into<OsString> + Clone>(
    registry: Registry,
    arguments: impl IntoIterator<Item = T>,
) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    if let Some(program) = arguments.first() {
        output::set_program_name(program);
    }
    if let Err(fault) = registry.check() {
        Failure::new("registry", fault).print(wants_json(&arguments));
        return ExitCode::FAILURE;
    }
    if arguments.len() < 2 {
        // Ignores closed standard output.
        let _ = output::print_line(output::with_program_name(&welcome::welcome(&registry)));
        return ExitCode::SUCCESS;
    }
    let parsed = self_description::command(&registry).try_get_matches_from(&arguments);
    let (cli, matches) = match parsed.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches))) {
        Ok(parsed) => parsed,
        Err(error) => return report_usage_error(&error, &arguments),
    };
    let Some((command, options)) = Command::chosen(&matches) else { return ExitCode::from(2) };
    signals::ignore_file_size_signal();
    before_temporaries(signals::remove_temporaries_at_end);
    retrograde_explore::export::keep_existing_files(!cli.force);
    let tables = TableFolders::choose(&cli.tables, "--tables");
    let site = Site::named(&tables).and_then(|site| match command.refuses_site() {
        Some(reason) if site.is_some() => Err(reason),
        _ => Ok(site),
    });
    let site = match site {
        Ok(site) => site,
        Err(reason) => {
            Failure::new("usage", reason).print(cli.json);
            return ExitCode::from(2);
        }
    };
    // Keeps a password in the address out of the output.
    let tables = if site.is_some() { TableFolders::one(Site::shown(tables.first())) } else { tables };
    let color = terminal::shows_colors();
    output::allow_colors(color);
    let context = Context {
        site,
        registry,
        loader: retrograde_explore::Loader::disk(),
        tables,
        threads: cli.threads.map_or_else(retrograde_explore::usable_threads, usize::from),
        memory: cli.memory,
        json: cli.json,
        color,
    };
    if let Some(threads) = cli.threads {
        retrograde_explore::set_answer_threads(usize::from(threads));
    }
    if let Some(memory) = cli.memory {
        retrograde_explore::allow_memory(memory);
    }
    let result = command.run(&context, options);
    let result = result.and_then(|exit| Ok(std::io::stdout().flush().map(|()| exit)?));
    match result {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            Failure::of_signal(&*error).unwrap_or_else(|| Failure::from_error(error)).print(context.json);
            signals::end_signal().map_or(ExitCode::FAILURE, |signal| ExitCode::from(signal.exit_status()))
        }
    }
}

/// Whether a command line that could not be parsed has `--json`.
fn wants_json(arguments: &[OsString]) -> bool {
    arguments.iter().take_while(|argument| *argument != "--").any(|argument| argument == "--json")
}

/// Reports a command line that cannot be parsed. Help and the version also arrive as errors.
fn report_usage_error(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    if let Some(reason) = left_out::reason(error) {
        Failure::new("usage", reason).print(wants_json(arguments));
        return ExitCode::from(2);
    }
    if error.use_stderr() && wants_json(arguments) {
        Failure::from_usage(error).print(true);
    } else if error.use_stderr()
        && arguments.iter().any(|argument| argument.to_string_lossy().contains(char::is_control))
    {
        terminal::say(error.render().to_string().trim_end());
    } else {
        // If printing fails, there is nothing left to do.
        let text = error.render().to_string();
        let _ = match (terminal::is_ascii(), error.use_stderr()) {
            (false, _) => error.print(),
            (true, true) => write!(std::io::stderr(), "{}", terminal::shown(&text)),
            (true, false) => write!(std::io::stdout(), "{}", terminal::shown(&text)),
        };
    }
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}

/// Whether the reader of the output has closed it, as `head` does. That is not an error.
fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let io = match error.downcast_ref::<retrograde_explore::Error>() {
            Some(retrograde_explore::Error::Io(io)) => Some(io),
            _ => error.downcast_ref::<std::io::Error>(),
        };
        if io.is_some_and(|io| io.kind() == ErrorKind::BrokenPipe) {
            return true;
        }
        cause = error.source();
    }
    false
}
