//! A session: reads and answers lines, while searches think on other threads.

use std::io::{self, Read, Write};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use retrograde_explore::{OpenGame, SearchLimits};
use retrograde_game::{Outcome, Random, Seat};

use super::go::Go;
use super::search::Search;
use super::writer::Writer;
use crate::lines::{Event, read_on_thread};
use crate::{PlayedGame, StopSignal, Strength};

/// The number of buffered input lines.
const WAITING_LINES: usize = 64;
/// The maximum of `MultiPV`.
const MAX_LINES: usize = 500;

/// The commands.
const COMMANDS: [&str; 12] = [
    "ugi",
    "isready",
    "uginewgame",
    "ucinewgame",
    "setoption",
    "position",
    "go",
    "stop",
    "ponderhit",
    "query",
    "debug",
    "quit",
];

/// Opens the game with tables from the given folders, separated as in `PATH`, or else from the default
/// folders.
pub type Open<'a> = dyn Fn(Option<&str>) -> Result<Arc<OpenGame>, String> + 'a;

/// The settings of an engine.
pub struct Engine<'a> {
    /// Its name and version.
    pub name: String,
    /// Its authors.
    pub author: String,
    /// Its strength.
    pub strength: Strength,
    /// The seed for choices among equal turns.
    pub seed: u64,
    /// The default limits of `go` without a table.
    pub limits: SearchLimits,
    /// Opens the game.
    pub open: Box<Open<'a>>,
}

/// A running search.
struct Running {
    stop: StopSignal,
    waits: bool,
    thread: JoinHandle<()>,
}

/// Runs until `quit`, or until input or output is closed.
///
/// # Errors
/// If the input cannot be read, or the output cannot be written (a broken pipe if it is closed).
pub fn run(
    engine: Engine<'_>,
    game: Arc<OpenGame>,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let (events, receiver) = sync_channel(WAITING_LINES);
    read_on_thread(input, events.clone())?;
    let out = Writer::new(output);
    let played = PlayedGame::begin(&game, None, Seat::First).map_err(|error| error.to_string());
    let random = Random::new(engine.seed);
    let mut session =
        Session { engine, game, played, lines: 1, random, running: None, out, events: events.clone() };
    let ended = session.run_events(&receiver);
    session.end_search(true);
    ended
}

struct Session<'a> {
    engine: Engine<'a>,
    game: Arc<OpenGame>,
    /// The game so far, or why the last `position` was invalid.
    played: Result<PlayedGame, String>,
    /// The number of best turns to report.
    lines: usize,
    random: Random,
    running: Option<Running>,
    out: Writer,
    events: SyncSender<Event>,
}

impl Session<'_> {
    fn run_events(&mut self, receiver: &Receiver<Event>) -> io::Result<()> {
        while let Ok(event) = receiver.recv() {
            match event {
                Event::Line(Ok(line)) => {
                    let words: Vec<&str> = line.split_whitespace().collect();
                    // UCI requires skipping unknown words.
                    let at = words.iter().position(|word| COMMANDS.contains(word));
                    match at.map(|at| (words[at], &words[at + 1..])) {
                        Some(("quit", _)) => return Ok(()),
                        Some((word, rest)) => self.handle(word, rest)?,
                        None if words.is_empty() => {}
                        None => self.complain(&format!("unknown command “{}”", words[0]))?,
                    }
                }
                Event::Line(Err(reason)) => self.complain(&reason)?,
                Event::End(read) => {
                    // A client may send all its commands and close the pipe; it still expects the answers.
                    self.end_search(self.running.as_ref().is_some_and(|running| running.waits));
                    return read;
                }
                Event::WriteError(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Handles a line.
    fn handle(&mut self, word: &str, words: &[&str]) -> io::Result<()> {
        match word {
            "ugi" => self.introduce(),
            "isready" => self.out.line("readyok"),
            "uginewgame" | "ucinewgame" => {
                self.end_search(true);
                self.random = Random::new(self.engine.seed);
                Ok(())
            }
            "setoption" => match self.set_option(words) {
                Ok(()) => Ok(()),
                Err(reason) => self.complain(&reason),
            },
            "position" => {
                self.played = self.read_position(words);
                match self.played.as_ref().map(PlayedGame::repetitions) {
                    // The protocol has no word for draws.
                    Ok(Some(times)) => self.out.line(&format!(
                        "info string a draw may be offered: this position has come up {times} times"
                    )),
                    Ok(None) => Ok(()),
                    Err(reason) => self.complain(reason),
                }
            }
            "go" => self.go(words),
            "stop" | "ponderhit" => {
                self.end_search(true);
                Ok(())
            }
            "query" => self.respond(words),
            // Not supported.
            _ => Ok(()),
        }
    }

    fn complain(&self, reason: &str) -> io::Result<()> {
        self.out.line(&format!("info string error: {reason}"))
    }

    fn introduce(&self) -> io::Result<()> {
        let Engine { name, author, strength, seed, .. } = &self.engine;
        for line in [
            &format!("id name {name}"),
            &format!("id author {author}"),
            &format!("option name Strength type string default {strength}"),
            &format!("option name MultiPV type spin default 1 min 1 max {MAX_LINES}"),
            &format!("option name Seed type spin default {seed} min 0 max {}", u64::MAX),
            "option name Tables type string default <empty>",
            &format!(
                "info string {}, {}",
                self.game.name(),
                if self.game.has_table() { "with its table" } else { "without a table" }
            ),
        ] {
            self.out.line(line)?;
        }
        self.tell_notes()?;
        self.out.line("ugiok")
    }

    /// Reports which files of the game cannot be used.
    fn tell_notes(&self) -> io::Result<()> {
        self.game.notes().iter().try_for_each(|note| self.out.line(&format!("info string note: {note}")))
    }

    /// `name NAME value VALUE`; names are case-insensitive.
    fn set_option(&mut self, words: &[&str]) -> Result<(), String> {
        let expected = "setoption expects `name NAME value VALUE`";
        let ["name", rest @ ..] = words else { return Err(expected.to_owned()) };
        let at = rest.iter().position(|word| *word == "value").unwrap_or(rest.len());
        let (name, value) = (rest[..at].join(" "), rest.get(at + 1..).unwrap_or_default().join(" "));
        let number = |range: RangeInclusive<u64>| {
            let number = value.parse::<u64>().ok().filter(|number| range.contains(number));
            let (least, most) = (range.start(), range.end());
            number
                .ok_or_else(|| format!("{name} must be a whole number from {least} to {most}, not “{value}”"))
        };
        match name.to_ascii_lowercase().as_str() {
            "strength" => self.engine.strength = value.parse()?,
            "multipv" => self.lines = number(1..=MAX_LINES as u64)? as usize,
            "seed" => {
                self.engine.seed = number(0..=u64::MAX)?;
                self.random = Random::new(self.engine.seed);
            }
            "tables" => {
                let folder = Some(value.as_str()).filter(|value| !matches!(*value, "" | "<empty>"));
                self.game = (self.engine.open)(folder)?;
                self.tell_notes().map_err(|error| error.to_string())?;
            }
            // Programs may set options that other engines have.
            "hash" | "threads" | "ponder" | "ownbook" | "clear hash" => {}
            _ => {
                return Err(format!(
                    "there is no option “{name}”; the options are Strength, MultiPV, Seed and Tables"
                ));
            }
        }
        Ok(())
    }

    /// `startpos` or `fen TEXT`, and `moves` with turns.
    fn read_position(&self, words: &[&str]) -> Result<PlayedGame, String> {
        let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let (from, turns) = (&words[..at], words.get(at + 1..).unwrap_or_default());
        let game = &self.game;
        let (position, to_move) = match from {
            ["startpos"] => (None, Seat::First),
            ["fen", text @ .., "second"] if !text.is_empty() => (Some(text.join(" ")), Seat::Second),
            ["fen", text @ .., "first"] | ["fen", text @ ..] if !text.is_empty() => {
                (Some(text.join(" ")), Seat::First)
            }
            _ => {
                return Err(
                    "position expects `startpos` or `fen TEXT`, optionally followed by `moves`".to_owned()
                );
            }
        };
        let start = PlayedGame::begin(game, position.as_deref(), to_move);
        let mut played = start.map_err(|error| error.to_string())?;
        for (number, turn) in (1..).zip(turns) {
            played.make(game, turn).map_err(|error| error.of_turn(number).to_string())?;
        }
        Ok(played)
    }

    fn go(&mut self, words: &[&str]) -> io::Result<()> {
        // A second `go` waits for the first, so that commands from a file get all answers. If the first waits for
        // `stop`, it is stopped, since otherwise both would wait forever.
        self.end_search(self.running.as_ref().is_some_and(|running| running.waits));
        let played = match &self.played {
            Ok(played) => played.clone(),
            Err(reason) => {
                let reason = format!("there is no position to search: {reason}");
                self.complain(&reason)?;
                return self.out.line("bestmove (none)");
            }
        };
        let go = Go::read(words, played.to_move());
        if !go.skipped.is_empty() {
            self.complain(&format!("invalid parameters of go: {}", go.skipped.join(" ")))?;
        }
        let stop = StopSignal::default();
        let waits = go.waits;
        // Each search has a separate random stream, so that the same commands get the same turns.
        let random = Random::new(self.random.bits());
        let search = Search {
            game: Arc::clone(&self.game),
            played,
            limits: go.limits(&self.engine.limits),
            go,
            strength: self.engine.strength,
            lines: self.lines,
            random,
            stop: stop.clone(),
            out: self.out.clone(),
        };
        let events = self.events.clone();
        let thread = std::thread::Builder::new().name("search".to_owned()).spawn(move || {
            if let Err(error) = search.run() {
                // The session may be over.
                let _ = events.try_send(Event::WriteError(error));
            }
        })?;
        self.running = Some(Running { stop, waits, thread });
        Ok(())
    }

    /// Waits for the running search, if any; `now` stops it.
    fn end_search(&mut self, now: bool) {
        let Some(Running { stop, thread, .. }) = self.running.take() else { return };
        if now {
            stop.stop();
            thread.thread().unpark();
        }
        if thread.join().is_err() {
            // The panic is on standard error. The client must not wait for a turn forever.
            let _ = self.complain("the search failed");
            let _ = self.out.line("bestmove (none)");
        }
    }

    fn respond(&self, words: &[&str]) -> io::Result<()> {
        let answer = self.played.clone().and_then(|played| {
            let over = self.game.over(played.position()).map_err(|error| error.to_string())?;
            match words {
                ["p1turn"] => Ok((played.to_move() == Seat::First).to_string()),
                ["gameover"] => Ok(over.is_some().to_string()),
                ["result"] => Ok(match (over, played.to_move()) {
                    (None, _) => "none",
                    (Some(Outcome::Draw), _) => "draw",
                    (Some(Outcome::Win), Seat::First) | (Some(Outcome::Loss), Seat::Second) => "p1win",
                    (Some(_), _) => "p2win",
                }
                .to_owned()),
                _ => Err(format!(
                    "there is no query “{}”; the queries are p1turn, gameover and result",
                    words.join(" ")
                )),
            }
        });
        match answer {
            Ok(answer) => self.out.line(&format!("response {answer}")),
            Err(reason) => {
                self.complain(&reason)?;
                // The client waits for a line that begins with `response`.
                self.out.line("response none")
            }
        }
    }
}
