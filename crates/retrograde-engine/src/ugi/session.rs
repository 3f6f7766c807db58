//! The conversation: reads lines, answers at once, and lets searches think beside it.

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
use crate::lines::{Input, read_beside};
use crate::{PlayedGame, StopSignal, Strength, ThinkLimits};

/// Lines that wait to be heeded.
const WAITING_LINES: usize = 64;
/// The most lines of `MultiPV`.
const MOST_LINES: usize = 500;

/// The first words of lines.
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

/// Opens the game, with the tables of these folders, separated as in `PATH`, or without any, of the usual
/// ones.
pub type Open<'a> = dyn Fn(Option<&str>) -> Result<Arc<OpenGame>, String> + 'a;

/// An engine before it speaks: who it is and how it plays.
pub struct Engine<'a> {
    /// Its name and version.
    pub name: String,
    /// How it chooses.
    pub strength: Strength,
    /// The seed of its choices among equal turns.
    pub seed: u64,
    /// The limits of a `go` that sets none, where there is no table.
    pub limits: SearchLimits,
    /// Opens the game.
    pub open: Box<Open<'a>>,
}

/// An event that the conversation answers to.
enum Event {
    /// Something is said.
    Input(Input),
    /// A search could not write.
    Unheard(io::Error),
}

impl From<Input> for Event {
    fn from(input: Input) -> Event {
        Event::Input(input)
    }
}

/// A search that runs.
struct Running {
    stop: StopSignal,
    waits: bool,
    thread: JoinHandle<()>,
}

/// Speaks until `quit`, or until nobody writes or reads any more.
///
/// # Errors
/// If the input cannot be read or the output not be written; if nobody reads, that is a broken pipe.
pub fn run(
    engine: Engine<'_>,
    game: Arc<OpenGame>,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let (events, hear) = sync_channel(WAITING_LINES);
    read_beside(input, events.clone())?;
    let out = Writer::new(output);
    let played = PlayedGame::begin(&game, None, Seat::First).map_err(|error| error.to_string());
    let random = Random::new(engine.seed);
    let mut session =
        Session { engine, game, played, lines: 1, random, running: None, out, events: events.clone() };
    let ended = session.converse(&hear);
    session.end_search(true);
    ended
}

struct Session<'a> {
    engine: Engine<'a>,
    game: Arc<OpenGame>,
    /// The game so far, or why the last one that was told cannot be.
    played: Result<PlayedGame, String>,
    /// Best turns that are shown.
    lines: usize,
    random: Random,
    running: Option<Running>,
    out: Writer,
    events: SyncSender<Event>,
}

impl Session<'_> {
    fn converse(&mut self, hear: &Receiver<Event>) -> io::Result<()> {
        while let Ok(event) = hear.recv() {
            match event {
                Event::Input(Input::Line(Ok(line))) => {
                    let words: Vec<&str> = line.split_whitespace().collect();
                    // UCI asks to skip unknown words and to look on.
                    let at = words.iter().position(|word| COMMANDS.contains(word));
                    match at.map(|at| (words[at], &words[at + 1..])) {
                        Some(("quit", _)) => return Ok(()),
                        Some((word, rest)) => self.heed(word, rest)?,
                        None if words.is_empty() => {}
                        None => self.complain(&format!("“{}” is no command here", words[0]))?,
                    }
                }
                Event::Input(Input::Line(Err(reason))) => self.complain(&reason)?,
                Event::Input(Input::End(read)) => {
                    // A pipe may send all its words and close; its writer still wants the answers.
                    self.end_search(self.running.as_ref().is_some_and(|running| running.waits));
                    return read;
                }
                Event::Unheard(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Does what a line says.
    fn heed(&mut self, word: &str, words: &[&str]) -> io::Result<()> {
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
                match &self.played {
                    Ok(_) => Ok(()),
                    Err(reason) => self.complain(reason),
                }
            }
            "go" => self.go(words),
            "stop" | "ponderhit" => {
                self.end_search(true);
                Ok(())
            }
            "query" => self.respond(words),
            // Of no use here.
            _ => Ok(()),
        }
    }

    fn complain(&self, reason: &str) -> io::Result<()> {
        self.out.line(&format!("info string error: {reason}"))
    }

    fn introduce(&self) -> io::Result<()> {
        let Engine { name, strength, seed, .. } = &self.engine;
        for line in [
            &format!("id name {name}"),
            "id author the Retrograde team",
            &format!("option name Strength type string default {strength}"),
            &format!("option name MultiPV type spin default 1 min 1 max {MOST_LINES}"),
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

    /// Tells which files of the game cannot be used.
    fn tell_notes(&self) -> io::Result<()> {
        self.game.notes().iter().try_for_each(|note| self.out.line(&format!("info string note: {note}")))
    }

    /// `name NAME value VALUE`; names are written in any case.
    fn set_option(&mut self, words: &[&str]) -> Result<(), String> {
        let expected = "setoption wants `name NAME value VALUE`";
        let ["name", rest @ ..] = words else { return Err(expected.to_owned()) };
        let at = rest.iter().position(|word| *word == "value").unwrap_or(rest.len());
        let (name, value) = (rest[..at].join(" "), rest.get(at + 1..).unwrap_or_default().join(" "));
        let number = |range: RangeInclusive<u64>| {
            let number = value.parse::<u64>().ok().filter(|number| range.contains(number));
            let (least, most) = (range.start(), range.end());
            number.ok_or_else(|| format!("{name} is a whole number from {least} to {most}, not “{value}”"))
        };
        match name.to_ascii_lowercase().as_str() {
            "strength" => self.engine.strength = value.parse()?,
            "multipv" => self.lines = number(1..=MOST_LINES as u64)? as usize,
            "seed" => {
                self.engine.seed = number(0..=u64::MAX)?;
                self.random = Random::new(self.engine.seed);
            }
            "tables" => {
                let folder = Some(value.as_str()).filter(|value| !matches!(*value, "" | "<empty>"));
                self.game = (self.engine.open)(folder)?;
                self.tell_notes().map_err(|error| error.to_string())?;
            }
            // Programs set what they set in every engine.
            "hash" | "threads" | "ponder" | "ownbook" | "clear hash" => {}
            _ => {
                return Err(format!(
                    "there is no option “{name}”; there are Strength, MultiPV, Seed and Tables"
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
        let begun = match from {
            ["startpos"] => PlayedGame::begin(game, None, Seat::First),
            ["fen", text @ .., "first"] if !text.is_empty() => {
                PlayedGame::begin(game, Some(&text.join(" ")), Seat::First)
            }
            ["fen", text @ .., "second"] if !text.is_empty() => {
                PlayedGame::begin(game, Some(&text.join(" ")), Seat::Second)
            }
            ["fen", text @ ..] if !text.is_empty() => {
                PlayedGame::begin(game, Some(&text.join(" ")), Seat::First)
            }
            _ => return Err("position wants `startpos` or `fen TEXT`, and may go on with `moves`".to_owned()),
        };
        let mut played = begun.map_err(|error| error.to_string())?;
        for (number, turn) in (1..).zip(turns) {
            played.make(game, turn).map_err(|error| format!("turn {number}: {error}"))?;
        }
        Ok(played)
    }

    fn go(&mut self, words: &[&str]) -> io::Result<()> {
        // A second `go` waits for the first, so that words from a file get all answers; one that waits
        // for `stop` is ended, or both would wait for ever.
        self.end_search(self.running.as_ref().is_some_and(|running| running.waits));
        let played = match &self.played {
            Ok(played) => played.clone(),
            Err(reason) => {
                let reason = format!("there is no position to think about: {reason}");
                self.complain(&reason)?;
                return self.out.line("bestmove (none)");
            }
        };
        let mut go = Go::read(words, played.to_move());
        if !go.skipped.is_empty() {
            self.complain(&format!("after go these words mean nothing: {}", go.skipped.join(" ")))?;
        }
        if !go.is_limited() {
            let SearchLimits { nodes, time, .. } = self.engine.limits;
            go.limits = ThinkLimits { time: Some(time), nodes: Some(nodes), depth: None };
        }
        let stop = StopSignal::default();
        let waits = go.waits;
        // A stream of its own for each search: the same words get the same turns.
        let random = Random::new(self.random.bits());
        let search = Search {
            game: Arc::clone(&self.game),
            played,
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
                // The conversation may be over.
                let _ = events.try_send(Event::Unheard(error));
            }
        })?;
        self.running = Some(Running { stop, waits, thread });
        Ok(())
    }

    /// Waits for the search that runs, if one does; `now` ends it.
    fn end_search(&mut self, now: bool) {
        let Some(Running { stop, thread, .. }) = self.running.take() else { return };
        if now {
            stop.stop();
            thread.thread().unpark();
        }
        if thread.join().is_err() {
            // Its words are on standard error; whoever waits for a turn must not wait for ever.
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
                    "there is no query “{}”; there are p1turn, gameover and result",
                    words.join(" ")
                )),
            }
        });
        match answer {
            Ok(answer) => self.out.line(&format!("response {answer}")),
            Err(reason) => {
                self.complain(&reason)?;
                // Whoever asked waits for a line that begins so.
                self.out.line("response none")
            }
        }
    }
}
