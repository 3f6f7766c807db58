//! A session: reads queries, distributes their positions to threads, and writes answers as they are found.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use retrograde_explore::{Annotation, Error, Line, ListPage, OpenGame, Probe, SearchLimits, Shelf};
use retrograde_game::printable_json;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::answer::{ActionAnswer, Answer, Refusal};
use super::query::{Action, Message, Refused};
use super::queue::{Query, Queue, Selection, Task};
use crate::lines::{Event, read_on_thread};

/// The number of buffered input lines.
const WAITING_LINES: usize = 64;
/// The maximum number of open games, and their memory in bytes.
const MAX_OPEN: usize = 8;
const OPEN_MEMORY: u64 = 1 << 30;
/// The share of this memory that one game may use to cache parts of its files.
const CACHE_PART: u64 = 8;
/// The interval for checking whether positions of a closed game still wait.
const CLOSING: Duration = Duration::from_millis(2);

/// Opens a game by name; the error is a JSON object, as in answers.
pub type OpenNamed<'a> = dyn Fn(&str) -> Result<Arc<OpenGame>, Json> + 'a;

/// An analysis engine, ready to start.
pub struct Analysis<'a> {
    /// Its name and version.
    pub name: String,
    /// The default game of queries.
    pub game: Option<String>,
    /// The default limits of searches.
    pub limits: SearchLimits,
    /// The number of threads for analysis.
    pub threads: usize,
    /// Opens a game.
    pub open: &'a OpenNamed<'a>,
    /// Converts an error to a JSON object.
    pub describe: fn(Error) -> Json,
}

/// The output, shared by all threads.
struct Out {
    output: Mutex<Box<dyn Write + Send>>,
    describe: fn(Error) -> Json,
    /// Whether any query got an error.
    refused: AtomicBool,
}

impl Out {
    fn line(&self, line: &impl Serialize) -> io::Result<()> {
        let line = serde_json::to_string(line)?;
        let mut output = self.output.lock();
        output.write_all(format!("{}\n", printable_json(&line)).as_bytes())?;
        output.flush()
    }

    fn refuse(&self, id: Option<&Json>, turn_number: Option<usize>, error: Json) -> io::Result<()> {
        self.refused.store(true, Ordering::Relaxed);
        self.line(&Refusal { id, turn_number, error })
    }

    /// A position of a cancelled query.
    fn stopped(&self, task: &Task) -> io::Result<()> {
        let error = json!({"kind": "stopped", "detail": "stopped"});
        self.line(&Refusal { id: Some(&task.query.id), turn_number: Some(task.turn_number), error })
    }
}

/// Runs until the input ends and everything is answered, or until the output is closed. Returns whether
/// every query was answered.
///
/// # Errors
/// If the input cannot be read, or the output cannot be written (a broken pipe if it is closed).
pub fn run(
    analysis: &Analysis<'_>,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<bool> {
    let (events, receiver) = sync_channel(WAITING_LINES);
    read_on_thread(input, events.clone())?;
    let out = Arc::new(Out {
        output: Mutex::new(Box::new(output)),
        describe: analysis.describe,
        refused: AtomicBool::new(false),
    });
    let queue = Arc::new(Queue::default());
    let mut workers = Vec::new();
    for _ in 0..analysis.threads.max(1) {
        let (queue, out, events) = (Arc::clone(&queue), Arc::clone(&out), events.clone());
        let worker = std::thread::Builder::new().name("analysis".to_owned());
        workers.push(worker.spawn(move || work(&queue, &out, &events))?);
    }
    let opened = Shelf::new(MAX_OPEN, OPEN_MEMORY);
    let mut session = Session { analysis, queue: &queue, out: &out, opened, alive: Vec::new() };
    let ended = loop {
        match receiver.recv() {
            Ok(Event::Line(Ok(line))) if line.trim().is_empty() => {}
            Ok(Event::Line(line)) => {
                if let Err(error) = session.handle(line) {
                    break Err(error);
                }
            }
            Ok(Event::End(read)) => break read,
            Ok(Event::WriteError(error)) => break Err(error),
            Err(_) => break Ok(()),
        }
    };
    if ended.is_err() {
        queue.stop(&Selection { id: None, turns: None });
    }
    queue.close();
    // Waits for all workers. One that panicked has printed a message on standard error.
    let lost = workers.into_iter().filter_map(|worker| worker.join().err()).count();
    ended?;
    // The output may have been closed before the last answers.
    match receiver
        .try_iter()
        .find_map(|event| if let Event::WriteError(error) = event { Some(error) } else { None })
    {
        Some(error) => Err(error),
        None => Ok(lost == 0 && !out.refused.load(Ordering::Relaxed)),
    }
}

/// Analyses positions until the queue is closed.
fn work(queue: &Queue, out: &Out, events: &SyncSender<Event>) {
    while let Some(task) = queue.next() {
        let found = look(&task);
        queue.done(&task);
        if let Err(error) = answer(&task, found, out) {
            // The output is closed, so the other workers and the reader stop too.
            queue.stop(&Selection { id: None, turns: None });
            queue.close();
            // If the channel is full, the main thread notices when it writes its next answer.
            let _ = events.try_send(Event::WriteError(error));
            return;
        }
    }
}

/// The answer of a query about one position.
struct PositionAnswers {
    probe: Probe,
    line: Option<Line>,
    annotation: Option<Annotation>,
}

fn look(task: &Task) -> Result<PositionAnswers, Error> {
    let Query { game, played, wanted, .. } = &*task.query;
    let number = task.turn_number;
    let (position, seat) = (&played.positions()[number], played.seat_at(number));
    task.stop.bounds(Duration::MAX).within(|| {
        let page = ListPage { offset: 0, limit: wanted.listed };
        let probe = game.probe_page(position, seat, &[], page, &wanted.limits)?;
        let line = match wanted.line {
            0 => None,
            most => Some(game.line(position, seat, most, &wanted.limits)?),
        };
        let turn = played.turns().get(number).filter(|_| wanted.annotate);
        let annotation = match turn {
            Some(turn) => game.annotate(position, seat, std::slice::from_ref(turn), &wanted.limits)?.pop(),
            None => None,
        };
        Ok(PositionAnswers { probe, line, annotation })
    })
}

fn answer(task: &Task, found: Result<PositionAnswers, Error>, out: &Out) -> io::Result<()> {
    let (id, turn_number) = (&task.query.id, task.turn_number);
    // It was counted as stopped, even if it has ended normally since.
    if task.stop.is_set() {
        return out.stopped(task);
    }
    match found {
        Ok(PositionAnswers { probe, line, annotation }) => {
            let (line, ends) = line.map(|line| (line.line, line.ends)).unzip();
            out.line(&Answer { id, turn_number, probe, line, ends, annotation })
        }
        Err(error) => out.refuse(Some(id), Some(turn_number), (out.describe)(error)),
    }
}

/// Why a line is not JSON. The error counts its lines from this one, so it always says line 1.
fn not_json(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let reason = text.rsplit_once(" at line ").map_or(&*text, |(reason, _)| reason);
    format!("the line is not JSON: {reason} (column {})", error.column())
}

/// Why an object is not a message, with the name of the field, which most of Serde's errors leave out.
fn fault_in(object: &Map<String, Json>, error: &serde_json::Error) -> String {
    const WHOLE: &str = "a non-negative whole number";
    let mut reason = error.to_string();
    for (of_rust, plain) in [("u64", WHOLE), ("usize", WHOLE), ("i64", "a whole number"), ("f64", "a number")]
    {
        reason = reason.replace(&format!("expected {of_rust}"), &format!("expected {plain}"));
    }
    let wrong = object.iter().find(|(name, value)| Message::deserialize(&json!({*name: value})).is_err());
    match wrong {
        Some((name, _)) if !reason.contains(&format!("`{name}`")) => format!("`{name}`: {reason}"),
        _ => reason,
    }
}

struct Session<'a> {
    analysis: &'a Analysis<'a>,
    queue: &'a Queue,
    out: &'a Out,
    /// Open games by their names in queries.
    opened: Shelf<Arc<OpenGame>>,
    /// These games, and closed ones with waiting positions.
    alive: Vec<Weak<OpenGame>>,
}

impl Session<'_> {
    /// Handles a line.
    fn handle(&mut self, line: Result<String, String>) -> io::Result<()> {
        let usage = |detail: String| json!({"kind": "usage", "detail": detail});
        let read =
            line.and_then(|line| serde_json::from_str::<Json>(&line).map_err(|error| not_json(&error)));
        let object = match read {
            Ok(Json::Object(object)) => object,
            Ok(_) => return self.out.refuse(None, None, usage("a query must be an object".to_owned())),
            Err(reason) => return self.out.refuse(None, None, usage(reason)),
        };
        let id = object.get("id").cloned().unwrap_or_default();
        if !(id.is_string() || id.is_i64() || id.is_u64()) {
            let reason = "every query needs an `id`: a string or a whole number".to_owned();
            return self.out.refuse(None, None, usage(reason));
        }
        let sent = match Message::deserialize(&object) {
            Ok(sent) => sent,
            Err(error) => return self.out.refuse(Some(&id), None, usage(fault_in(&object, &error))),
        };
        if let Some(action) = sent.action {
            return self.act(&id, action, &sent);
        }
        let refused = match self.ask(&id, &sent) {
            Ok(()) => return Ok(()),
            Err(refused) => refused,
        };
        let error = match refused {
            Refused::Form(reason) => usage(reason),
            Refused::Game(error) => (self.analysis.describe)(error),
            Refused::NoGame(error) => error,
        };
        self.out.refuse(Some(&id), None, error)
    }

    /// Adds the positions of a query to the queue.
    fn ask(&mut self, id: &Json, sent: &Message) -> Result<(), Refused> {
        let form = |reason: &str| Refused::Form(reason.to_owned());
        if sent.terminate_id.is_some() || sent.turn_numbers.is_some() {
            return Err(form("`terminate_id` and `turn_numbers` need `\"action\": \"terminate\"`"));
        }
        if self.queue.has(id) {
            return Err(form("a query with this id has no answer yet"));
        }
        let wanted = sent.wanted(&self.analysis.limits)?;
        let name = sent.game.as_ref().or(self.analysis.game.as_ref());
        let name =
            name.ok_or_else(|| form("the query names no `game`, and the engine was started without one"))?;
        let game = self.game(name)?;
        let (played, turn_numbers) = sent.played(&game)?;
        let query = Arc::new(Query { id: id.clone(), game, played, wanted });
        self.queue.add(&query, turn_numbers);
        Ok(())
    }

    /// The open game with a name. If another game must be closed first, waits until its positions are answered.
    fn game(&mut self, name: &str) -> Result<Arc<OpenGame>, Refused> {
        if let Some(game) = self.opened.get(name) {
            return Ok(Arc::clone(game));
        }
        let mut game = (self.analysis.open)(name).map_err(Refused::NoGame)?;
        if let Some(game) = Arc::get_mut(&mut game) {
            game.limit_cache(OPEN_MEMORY / CACHE_PART);
        }
        self.opened.keep(name.to_owned(), Arc::clone(&game), game.memory());
        self.alive.push(Arc::downgrade(&game));
        loop {
            self.alive.retain(|game| game.strong_count() > 0);
            if self.alive.len() <= self.opened.games().count() || self.queue.is_closed() {
                return Ok(game);
            }
            std::thread::sleep(CLOSING);
        }
    }

    fn act(&self, id: &Json, action: Action, sent: &Message) -> io::Result<()> {
        let mut done =
            ActionAnswer { id, action: action.word(), terminate_id: None, stopped: None, version: None };
        let which = match action {
            Action::Version => {
                done.version = Some(&self.analysis.name);
                return self.out.line(&done);
            }
            Action::TerminateAll => Selection { id: None, turns: sent.turn_numbers.as_deref() },
            Action::Terminate => {
                done.terminate_id = sent.terminate_id.as_ref();
                if done.terminate_id.is_none() {
                    let error = json!({"kind": "usage", "detail": "`terminate` needs a `terminate_id`"});
                    return self.out.refuse(Some(id), None, error);
                }
                Selection { id: done.terminate_id, turns: sent.turn_numbers.as_deref() }
            }
        };
        let (ended, running) = self.queue.stop(&which);
        for task in &ended {
            self.out.stopped(task)?;
        }
        done.stopped = Some(ended.len() + running);
        self.out.line(&done)
    }
}
