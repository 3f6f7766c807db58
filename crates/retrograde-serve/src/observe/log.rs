//! The log on standard error: lines for people, or JSON for programs.

use std::io::{self, Write};

use retrograde_game::{printable, printable_json};
use tracing::level_filters::LevelFilter;

/// The format of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LogForm {
    /// Lines for people.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
}

/// Standard error, for lines that may contain untrusted text such as requested addresses.
struct Lines(LogForm);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let text = match self.0 {
            LogForm::Text => printable(&text),
            LogForm::Json => printable_json(&text),
        };
        io::stderr().write_all(text.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Starts the log for the whole program. Later calls do nothing.
pub fn start_log(form: LogForm) {
    let builder = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::INFO)
        .with_writer(move || Lines(form))
        .with_target(false);
    // If the program has already set up a log, it is used here too.
    let _ = match form {
        LogForm::Json => builder.json().flatten_event(true).try_init(),
        LogForm::Text => builder.try_init(),
    };
}
