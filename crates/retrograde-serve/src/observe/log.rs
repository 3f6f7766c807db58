//! The log on standard error: lines for people, or JSON for programs.

use std::io::IsTerminal;

use tracing::level_filters::LevelFilter;

/// The form of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LogForm {
    /// Lines for people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// Starts the log for the whole program. Later calls change nothing.
pub fn start_log(form: LogForm) {
    let builder = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::INFO)
        .with_writer(std::io::stderr)
        .with_target(false);
    // A program may have started a log of its own, which then serves us too.
    let _ = match form {
        LogForm::Json => builder.json().flatten_event(true).try_init(),
        LogForm::Text => builder.with_ansi(std::io::stderr().is_terminal()).try_init(),
    };
}
