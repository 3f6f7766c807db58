//! Reports failed commands on standard error: as a sentence, or with `--json` as an object. Usage
//! errors from `clap` have the same form.

use std::fmt;
use std::io::Write;

use clap::error::{ContextKind, ContextValue};
use retrograde_explore::{Problem, Unexpected};
use retrograde_game::{TextError, printable_json, system_reason};
use schemars::JsonSchema;
use serde::Serialize;

use crate::output::terminal::say;
use crate::output::with_program_name;
use crate::program::exit::BoxError;
use crate::program::signals::end_signal;

// Commands may return it as their error.
/// An error, and where the mistake is.
#[derive(Serialize, Debug, JsonSchema)]
pub(crate) struct Failure {
    /// The kind of error. `game`, `position`, `turn`, `step`, `board`: unreadable text; `registry`: two
    /// games have the same name; `table`: damaged, or of another version; `stopped`: by Ctrl-C, SIGTERM or
    /// SIGHUP; `failed`: all others.
    #[schemars(extend("enum" = KINDS))]
    kind: &'static str,
    /// The error as printed without `--json`.
    detail: String,
    /// The kind of text that was read, or the wrong option.
    #[serde(skip_serializing_if = "Option::is_none")]
    what: Option<String>,
    /// The text with the mistake.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The character that is wrong in it.
    #[serde(flatten)]
    unexpected: Option<Box<Unexpected>>,
    /// The word that was probably meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<String>,
    /// The line of the input, from 1 (`probe GAME -`).
    #[schemars(range(min = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

/// A failed command, on standard error.
#[derive(Serialize, JsonSchema)]
pub(crate) struct FailedCommand<'a> {
    /// The error.
    error: &'a Failure,
}

/// All kinds of failures.
const KINDS: [&str; 15] = [
    "usage",
    "game",
    "position",
    "turn",
    "step",
    "board",
    "no-table",
    "unsupported",
    "too-large",
    "time",
    "registry",
    "table",
    "file",
    "stopped",
    "failed",
];

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for Failure {}

impl Failure {
    /// Returns a failure without details.
    pub(crate) fn new(kind: &'static str, detail: String) -> Failure {
        Failure { kind, detail, what: None, text: None, unexpected: None, suggestion: None, line: None }
    }

    /// The error as a JSON object.
    pub(crate) fn object(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Converts an error.
    pub(crate) fn from_error(error: BoxError) -> Failure {
        let error = match error.downcast::<Failure>() {
            Ok(failure) => return *failure,
            Err(error) => error,
        };
        let detail = message(&*error);
        let known = match error.downcast::<retrograde_explore::Error>() {
            Ok(known) => *known,
            Err(other) => match other.downcast::<TextError>() {
                Ok(text) => retrograde_explore::Error::Text(*text),
                Err(other) => {
                    let kind = if other.is::<std::io::Error>() { "file" } else { "failed" };
                    return Failure::new(kind, detail);
                }
            },
        };
        match Problem::try_from(known) {
            Ok(problem) => Failure {
                what: problem.what.map(str::to_owned),
                text: problem.text.map(String::from),
                unexpected: problem.unexpected,
                suggestion: problem.suggestion.map(String::from),
                ..Failure::new(problem.kind, detail)
            },
            Err(retrograde_explore::Error::Table(_)) => Failure::new("table", detail),
            Err(retrograde_explore::Error::Io(_)) => Failure::new("file", detail),
            Err(_) => Failure::new("failed", detail),
        }
    }

    /// The failure of work that a signal has stopped.
    pub(crate) fn of_signal(error: &(dyn std::error::Error + 'static)) -> Option<Failure> {
        let known = error.downcast_ref::<retrograde_explore::Error>()?;
        let signal = end_signal().filter(|_| known.is_stopped())?;
        Some(Failure::new("stopped", format!("stopped by {signal}")))
    }

    /// Converts a usage error.
    pub(crate) fn from_usage(error: &clap::Error) -> Failure {
        let text = error.render().to_string();
        let lines = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
        let detail = lines.collect::<Vec<_>>().join(" ");
        let context = |kind| match error.get(kind)? {
            ContextValue::String(text) => Some(text.clone()),
            ContextValue::Strings(texts) => texts.first().cloned(),
            _ => None,
        };
        let similar =
            [ContextKind::SuggestedArg, ContextKind::SuggestedValue, ContextKind::SuggestedSubcommand];
        Failure {
            what: context(ContextKind::InvalidArg),
            text: context(ContextKind::InvalidValue).or_else(|| context(ContextKind::InvalidSubcommand)),
            suggestion: similar.into_iter().find_map(context),
            ..Failure::new("usage", detail.trim_start_matches("error: ").to_owned())
        }
    }

    /// Adds the line of the input.
    pub(crate) fn at_line(self, line: usize) -> Failure {
        Failure { detail: format!("line {line}: {}", self.detail), line: Some(line), ..self }
    }

    /// Prints it to standard error. If that fails, there is nothing left to do.
    pub(crate) fn print(&self, json: bool) {
        if json {
            let line = serde_json::to_string(&FailedCommand { error: self }).unwrap_or_default();
            let _ = writeln!(std::io::stderr(), "{}", printable_json(&line));
        } else {
            say(format!("error: {}", with_program_name(&self.detail)));
        }
    }
}

/// The message of an error; system errors are put in plain words.
fn message(error: &(dyn std::error::Error + 'static)) -> String {
    let io = match error.downcast_ref::<retrograde_explore::Error>() {
        Some(retrograde_explore::Error::Io(io)) => Some(io),
        Some(_) => None,
        None => error.downcast_ref::<std::io::Error>(),
    };
    io.map_or_else(|| error.to_string(), system_reason)
}
