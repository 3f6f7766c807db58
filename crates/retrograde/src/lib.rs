//! The command line of Retrograde, as a library: a program of its own is a registry of games and
//! [`run`].
//!
//! ```
//! // `retrograde games --json`, with the games that come with Retrograde.
//! let code = retrograde::run(retrograde::registry(), ["retrograde", "games", "--json"]);
//! assert_eq!(code, std::process::ExitCode::SUCCESS);
//! ```

mod cli;
mod commands;
mod output;
mod progress;

use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use clap::Parser;
pub use retrograde_explore::{Entry, Family, Registry};
pub use retrograde_games::registry;

use cli::Cli;

/// What the commands share: the games, the options for all of them, and where answers go.
pub(crate) struct Context {
    registry: Registry,
    loader: retrograde_explore::Loader,
    tables: std::path::PathBuf,
    threads: usize,
    json: bool,
    color: bool,
}

/// How a command ended, when nothing failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    /// It was answered.
    Well,
    /// A check did not hold, or some of several inputs could not be read.
    Badly,
}

/// Why a command failed.
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Runs the command line; `arguments` begin with the program's name. Exit codes: 0 it was answered, 1 it failed
/// or a check did not hold, 2 wrong usage.
pub fn run<T: Into<OsString> + Clone>(
    registry: Registry,
    arguments: impl IntoIterator<Item = T>,
) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() { 2 } else { 0 };
            // Nobody to tell if even this cannot be printed.
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
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
    let ended = commands::run(&mut context, cli.command);
    let ended = ended.and_then(|ended| Ok(std::io::stdout().flush().map(|()| ended)?));
    match ended {
        Ok(Ended::Well) => ExitCode::SUCCESS,
        Ok(Ended::Badly) => ExitCode::FAILURE,
        Err(failure) if is_broken_pipe(&*failure) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(std::io::stderr(), "error: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Whether whoever reads our output has gone, as `head` does: no failure of ours.
fn is_broken_pipe(failure: &(dyn std::error::Error + 'static)) -> bool {
    let mut cause = Some(failure);
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
