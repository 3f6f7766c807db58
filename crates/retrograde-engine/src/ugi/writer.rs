//! Writes lines to the client.

use std::io::{self, Write};
use std::sync::Arc;

use parking_lot::Mutex;
use retrograde_game::printable;

/// The output to the client, which searches share.
#[derive(Clone)]
pub(super) struct Writer(Arc<Mutex<Box<dyn Write + Send>>>);

impl Writer {
    pub(super) fn new(output: impl Write + Send + 'static) -> Writer {
        Writer(Arc::new(Mutex::new(Box::new(output))))
    }

    /// Writes a line and flushes it.
    pub(super) fn line(&self, text: &str) -> io::Result<()> {
        let mut out = self.0.lock();
        // File names and system errors may contain line ends.
        let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        out.write_all(printable(&text).as_bytes())?;
        out.write_all(b"\n")?;
        out.flush()
    }
}
