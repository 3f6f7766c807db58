//! Exit statuses, and the results of commands.

use retrograde_explore::Verdict;

/// The exit status of a command that ran to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// The question was answered.
    Success,
    /// A check failed, or some of several inputs could not be read.
    Failure,
    /// The value is unknown, nothing was found, or a limit ended the count.
    NothingFound,
}

impl Exit {
    /// The exit status for a value.
    pub(crate) fn of_value(value: Verdict) -> Exit {
        if value.known().is_some() { Exit::Success } else { Exit::NothingFound }
    }

    /// The exit status of the program; `docs/command-line.md` lists them.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Failure => 1,
            Exit::NothingFound => 3,
        }
    }
}

/// The error of a command.
pub(crate) type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The result of a command.
pub(crate) type CommandResult = Result<Exit, BoxError>;
