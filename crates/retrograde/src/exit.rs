//! How a command ends.

use retrograde_explore::Verdict;

/// The exit status of a command that ran to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// The question was answered.
    Success,
    /// A check did not hold, or some of several inputs were unreadable.
    Failure,
    /// The answer is that nothing is known or that nothing was found.
    NothingFound,
}

impl Exit {
    /// The status of an answer that is a value.
    pub(crate) fn of_value(value: Verdict) -> Exit {
        if value.known().is_some() { Exit::Success } else { Exit::NothingFound }
    }

    /// The number that the program ends with. `README.md` lists them.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Failure => 1,
            Exit::NothingFound => 3,
        }
    }
}

/// The reason why a command failed.
pub(crate) type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The result of a command.
pub(crate) type CommandResult = Result<Exit, BoxError>;
