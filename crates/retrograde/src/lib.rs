//! The command line of Retrograde, as a library: a program of its own is a registry of games and
//! [`run`].
//!
//! ```
//! // `retrograde games --json`, with the games that come with Retrograde.
//! let code = retrograde::run(retrograde::registry(), ["retrograde", "games", "--json"]);
//! assert_eq!(code, std::process::ExitCode::SUCCESS);
//! ```

mod args;
mod board_files;
mod cli;
mod commands;
mod context;
mod files;
mod output;
mod progress;
mod signals;

use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use clap::Parser;
pub use retrograde_explore::{Entry, Family, Registry};
pub use retrograde_games::registry;

use cli::Cli;
use context::{Context, Exit};

/// Runs the command line; `arguments` begin with the program's name.
///
/// Exit codes: 0 for an answer, 1 for a failure or a check that did not hold, 2 for wrong usage, 130
/// and 143 for work that Ctrl-C or SIGTERM stopped.
pub fn run<T: Into<OsString> + Clone>(
    registry: Registry,
    arguments: impl IntoIterator<Item = T>,
) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() { 2 } else { 0 };
            // If even this cannot be printed there is nothing left to do.
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    signals::survive_long_files();
    let mut context = Context {
        registry,
        loader: retrograde_explore::Loader::disk(),
        tables: cli.tables,
        threads: cli.threads.map_or_else(
            || std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            usize::from,
        ),
        json: cli.json,
        color: std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    };
    if let Some(threads) = cli.threads {
        retrograde_explore::set_answer_threads(usize::from(threads));
    }
    let resumable = matches!(cli.command, cli::Command::Solve(_));
    let result = cli.command.run(&mut context);
    let result = result.and_then(|exit| Ok(std::io::stdout().flush().map(|()| exit)?));
    match result {
        Ok(Exit::Success) => ExitCode::SUCCESS,
        Ok(Exit::Failure) => ExitCode::FAILURE,
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            let signal = signals::end_signal();
            let text = match signal {
                Some(signal) if is_stopped(&*error) && resumable => {
                    format!("stopped by {signal}; the same command goes on from what was saved")
                }
                Some(signal) if is_stopped(&*error) => format!("stopped by {signal}"),
                _ => error.to_string(),
            };
            let _ = writeln!(std::io::stderr(), "error: {text}");
            signal.map_or(ExitCode::FAILURE, |signal| ExitCode::from(signal.exit_status()))
        }
    }
}

/// Whether the command ended because it was told to stop.
fn is_stopped(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref::<retrograde_explore::Error>().is_some_and(retrograde_explore::Error::is_stopped)
}

/// Whether the reader of the output has gone, as `head` does. This is not an error of the command.
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
