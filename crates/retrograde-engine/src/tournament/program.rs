//! A UGI program as a child process. It is untrusted: it may hang, flood its output, send illegal turns or die,
//! always at a bounded cost of time and memory.

use std::io::{BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use retrograde_explore::Error;
use retrograde_game::{Seat, printable};

use super::clock::{Clocks, TimeControl};
use super::player::{Forfeit, Player, Reason};
use crate::PlayedGame;
use crate::lines::next_line;

/// The maximum length of a line in bytes.
const MAX_LINE_LENGTH: usize = 1 << 16;
/// The number of buffered lines from the program, which blocks beyond it.
const WAITING_LINES: usize = 256;
/// The number of buffered lines to the program.
const WAITING_WORDS: usize = 64;
/// The maximum number of characters of its last line of errors, and of its name, in messages.
const MAX_SHOWN: usize = 200;
/// The time to exit after `quit`.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);
/// The time to wait for the status and the last lines of a program that closed its output.
const CRASH_TIMEOUT: Duration = Duration::from_secs(10);

/// A program in a match.
pub(super) struct Program {
    words: Vec<String>,
    /// The name that it reported.
    name: Option<String>,
    running: Option<Running>,
    /// The time to answer `ugi` and `isready`.
    timeout: Duration,
}

/// A running program.
struct Running {
    child: Child,
    lines: Receiver<String>,
    input: SyncSender<String>,
    /// The last line on its standard error, shared with the thread that reads it.
    last_words: Arc<Mutex<String>>,
}

impl Program {
    pub(super) fn new(words: Vec<String>, timeout: Duration) -> Program {
        Program { words, name: None, running: None, timeout }
    }

    /// Starts it and waits for `ugiok`.
    fn start(&mut self) -> Result<(), Forfeit> {
        let file = self.words[0].clone();
        let crash =
            |reason: String| Forfeit(Reason::Crash, format!("its program cannot be started: {reason}"));
        let mut command = Command::new(&file);
        command.args(&self.words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| crash(retrograde_game::system_reason(&error)))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(crash("it has no pipes".to_owned()));
        };
        let (lines_in, lines) = sync_channel(WAITING_LINES);
        let (input, words) = sync_channel::<String>(WAITING_WORDS);
        let last_words = Arc::new(Mutex::new(String::new()));
        let last = Arc::clone(&last_words);
        // These threads end with the pipes, when the program ends.
        let started = [
            spawn(move || {
                let mut stdout = BufReader::new(stdout);
                while let Ok(Some(line)) = next_line(&mut stdout, MAX_LINE_LENGTH) {
                    // Unreadable lines are never expected, so they are ignored.
                    if let Ok(line) = line
                        && lines_in.send(line).is_err()
                    {
                        return;
                    }
                }
            }),
            spawn(move || {
                for line in words {
                    if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        return;
                    }
                }
            }),
            spawn(move || {
                let mut stderr = BufReader::new(stderr);
                while let Ok(Some(line)) = next_line(&mut stderr, MAX_LINE_LENGTH) {
                    if let Ok(line) = line
                        && !line.trim().is_empty()
                    {
                        *last.lock() = shortened(&line);
                    }
                }
            }),
        ];
        self.running = Some(Running { child, lines, input, last_words });
        if let Some(error) = started.into_iter().find_map(Result::err) {
            self.end(false);
            return Err(crash(retrograde_game::system_reason(&error)));
        }
        self.say("ugi")?;
        let mut name = None;
        self.wait_for("ugiok", "ugi", |line| {
            if let Some(own) = line.trim().strip_prefix("id name ") {
                name = Some(shortened(own));
            }
        })?;
        self.name = name.or(self.name.take());
        Ok(())
    }

    fn say(&mut self, line: &str) -> Result<(), Forfeit> {
        let Some(running) = &self.running else {
            return Err(Forfeit(Reason::Crash, "it does not run".to_owned()));
        };
        match running.input.try_send(format!("{line}\n")) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => {
                self.end(false);
                Err(Forfeit(Reason::Timeout, "it does not read its input".to_owned()))
            }
            Err(TrySendError::Disconnected(_)) => Err(self.crashed()),
        }
    }

    /// Reads lines until one begins with a word.
    fn wait_for(&mut self, word: &str, request: &str, mut on_line: impl FnMut(&str)) -> Result<(), Forfeit> {
        let end = Instant::now() + self.timeout;
        loop {
            let line = match self.line(end) {
                Some(line) => line?,
                None => {
                    self.end(false);
                    let seconds = self.timeout.as_secs_f64();
                    return Err(Forfeit(
                        Reason::Timeout,
                        format!("no `{word}` within {seconds} s after `{request}`"),
                    ));
                }
            };
            if line.split_whitespace().next() == Some(word) {
                return Ok(());
            }
            on_line(&line);
        }
    }

    /// The next line, if one arrives in time.
    fn line(&mut self, end: Instant) -> Option<Result<String, Forfeit>> {
        let left = end.saturating_duration_since(Instant::now());
        // A program that floods its output gets no extra time.
        if left.is_zero() {
            return None;
        }
        let running = self.running.as_ref()?;
        match running.lines.recv_timeout(left) {
            Ok(line) => Some(Ok(line)),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Err(self.crashed())),
        }
    }

    /// Asks for a turn.
    fn answer(&mut self, played: &PlayedGame, clocks: &Clocks) -> Result<String, Forfeit> {
        let player = played.to_move() as usize;
        let longest = clocks.longest(player);
        let end = Instant::now() + longest;
        let go = match clocks.control() {
            TimeControl::Turn(time) => format!("go movetime {}", time.as_millis()),
            TimeControl::Clock { increment, .. } => {
                let [first, second] = clocks.left.map(|left| left.as_millis());
                let increment = increment.as_millis();
                format!("go p1time {first} p2time {second} p1inc {increment} p2inc {increment}")
            }
        };
        self.say(&go)?;
        loop {
            let Some(line) = self.line(end) else {
                self.end(false);
                let seconds = longest.as_secs_f64();
                return Err(Forfeit(Reason::Timeout, format!("no `bestmove` within {seconds:.1} s")));
            };
            let line = line?;
            let mut words = line.split_whitespace();
            if words.next() == Some("bestmove") {
                return Ok(shortened(words.next().unwrap_or("(none)")));
            }
        }
    }

    /// Describes how a program ended that closed its output.
    fn crashed(&mut self) -> Forfeit {
        let Some(mut running) = self.running.take() else {
            return Forfeit(Reason::Crash, "it does not run".to_owned());
        };
        // Its status arrives shortly after the end of its output.
        let end = Instant::now() + CRASH_TIMEOUT;
        let status = loop {
            match running.child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(5)),
                _ => break None,
            }
        };
        let how = match status {
            Some(status) => format!("it ended ({status})"),
            None => "it closed its output".to_owned(),
        };
        // Standard error is complete once its reader is done, unless a child of the program holds the pipe.
        let end = Instant::now() + CRASH_TIMEOUT;
        while status.is_some() && Arc::strong_count(&running.last_words) > 1 && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(1));
        }
        let last = running.last_words.lock().clone();
        running.kill();
        Forfeit(Reason::Crash, if last.is_empty() { how } else { format!("{how}: {last}") })
    }

    /// Ends it; with `orderly`, lets it exit by itself first.
    fn end(&mut self, orderly: bool) {
        let Some(mut running) = self.running.take() else { return };
        if orderly && running.input.try_send("quit\n".to_owned()).is_ok() {
            let end = Instant::now() + EXIT_TIMEOUT;
            while Instant::now() < end && matches!(running.child.try_wait(), Ok(None)) {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        running.kill();
    }
}

impl Running {
    fn kill(&mut self) {
        // It may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end(true);
    }
}

impl Player for Program {
    fn begin(&mut self, _number: u64) -> Result<(), Forfeit> {
        if self.running.is_none() {
            self.start()?;
        }
        self.say("uginewgame")?;
        self.say("isready")?;
        self.wait_for("readyok", "isready", |_| {})
    }

    fn prepare(&mut self, played: &PlayedGame) -> Result<(), Forfeit> {
        let words: Vec<String> = played.turns_on_board().iter().map(|turn| crate::one_word(turn)).collect();
        let moves = if words.is_empty() { String::new() } else { format!(" moves {}", words.join(" ")) };
        let from = match (played.seat_at(0), played.set_up()) {
            (_, None) => "startpos".to_owned(),
            (Seat::First, Some(position)) => format!("fen {position} first"),
            (Seat::Second, Some(position)) => format!("fen {position} second"),
        };
        self.say(&format!("position {from}{moves}"))?;
        // Discards unsolicited output before this answer.
        self.say("isready")?;
        self.wait_for("readyok", "isready", |_| {})
    }

    fn choose(&mut self, played: &PlayedGame, clocks: &Clocks) -> Result<Result<String, Forfeit>, Error> {
        Ok(self.answer(played, clocks))
    }

    fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.words[0].clone())
    }
}

fn spawn(run: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().name("program".to_owned()).spawn(run).map(drop)
}

/// The first characters of an untrusted text, without control characters.
fn shortened(text: &str) -> String {
    let text: String = text.trim().chars().filter(|c| !c.is_control()).take(MAX_SHOWN).collect();
    printable(&text).into_owned()
}
