//! A UGI client.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Longer than any answer takes, even on a busy machine.
pub const TIMEOUT: Duration = Duration::from_secs(600);

/// An engine as a child process.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Client {
    pub fn start(mut command: Command) -> Client {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Client { input: child.stdin.take(), child, lines }
    }

    /// Sends a line.
    pub fn say(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
    }

    /// Waits for the next line.
    pub fn next(&self, timeout: Duration) -> Option<String> {
        match self.lines.recv_timeout(timeout) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Timeout) => panic!("no line within {timeout:?}"),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    /// The lines up to and including the first that begins with `word`.
    pub fn until(&self, word: &str) -> Vec<String> {
        self.until_within(word, TIMEOUT)
    }

    pub fn until_within(&self, word: &str, timeout: Duration) -> Vec<String> {
        let end = Instant::now() + timeout;
        let mut lines = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = self.next(left).unwrap_or_else(|| panic!("it ended before {word}: {lines:#?}"));
            let is_last = line.split_whitespace().next() == Some(word);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }

    /// The turn of the next `bestmove`.
    pub fn best(&self) -> String {
        self.until("bestmove").pop().unwrap().split_once(' ').unwrap().1.to_owned()
    }

    /// The text of the next `response`.
    pub fn response(&self) -> String {
        self.until("response").pop().unwrap().split_once(' ').unwrap().1.to_owned()
    }

    /// Closes the input and returns the remaining lines and the status.
    pub fn close(&mut self) -> (Vec<String>, Option<i32>) {
        self.input = None;
        let lines = std::iter::from_fn(|| self.next(TIMEOUT)).collect();
        (lines, self.child.wait().unwrap().code())
    }

    /// Waits until it ends and returns the status.
    pub fn ended(&mut self) -> Option<i32> {
        super::ended(&mut self.child).code()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
