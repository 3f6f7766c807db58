//! Positions that wait for an answer, and those that are looked at: in the order of their priority, then
//! of their coming.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;

use parking_lot::{Condvar, Mutex};
use retrograde_explore::OpenGame;
use serde_json::Value as Json;

use super::query::Questions;
use crate::{PlayedGame, StopSignal};

/// Positions that wait; beyond them nothing more is read until some are answered.
const MOST_WAITING: usize = 10_000;

/// A query that was understood.
pub(super) struct Query {
    pub(super) id: Json,
    pub(super) game: Arc<OpenGame>,
    pub(super) played: PlayedGame,
    pub(super) wanted: Questions,
}

/// One position of a query.
pub(super) struct Task {
    pub(super) query: Arc<Query>,
    pub(super) turn_number: usize,
    pub(super) stop: StopSignal,
    /// Its place in the order of coming.
    number: u64,
}

impl Task {
    fn rank(&self) -> (i64, std::cmp::Reverse<u64>) {
        (self.query.wanted.priority, std::cmp::Reverse(self.number))
    }
}

impl PartialEq for Task {
    fn eq(&self, other: &Task) -> bool {
        self.number == other.number
    }
}

impl Eq for Task {}

impl PartialOrd for Task {
    fn partial_cmp(&self, other: &Task) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Task {
    fn cmp(&self, other: &Task) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// The one place that all threads look at.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// There is work, or no more will come.
    work: Condvar,
    /// There is room, or nobody reads the answers.
    room: Condvar,
}

#[derive(Default)]
struct State {
    waiting: BinaryHeap<Task>,
    /// Positions that are looked at: number, id, turn, signal.
    running: Vec<(u64, Json, usize, StopSignal)>,
    /// Positions without an answer, by the id of their query as text.
    unanswered: HashMap<String, usize>,
    coming: u64,
    closed: bool,
}

impl State {
    /// A position of this query needs an answer no more.
    fn forget(&mut self, id: &Json) {
        let id = id.to_string();
        if let Some(count) = self.unanswered.get_mut(&id) {
            *count -= 1;
            if *count == 0 {
                self.unanswered.remove(&id);
            }
        }
    }
}

/// The positions that a word is about.
pub(super) struct Selection<'a> {
    /// Of one query; `None`: of all.
    pub(super) id: Option<&'a Json>,
    /// After some numbers of turns; `None`: all.
    pub(super) turns: Option<&'a [usize]>,
}

impl Selection<'_> {
    fn has(&self, id: &Json, turn: usize) -> bool {
        self.id.is_none_or(|own| own == id) && self.turns.is_none_or(|turns| turns.contains(&turn))
    }
}

impl Queue {
    /// Whether a query of this id waits for an answer.
    pub(super) fn has(&self, id: &Json) -> bool {
        self.state.lock().unanswered.contains_key(&id.to_string())
    }

    /// Adds positions of a query, once there is room.
    pub(super) fn add(&self, query: &Arc<Query>, turn_numbers: Vec<usize>) {
        let mut state = self.state.lock();
        while state.waiting.len() >= MOST_WAITING && !state.closed {
            self.room.wait(&mut state);
        }
        *state.unanswered.entry(query.id.to_string()).or_default() += turn_numbers.len();
        for turn_number in turn_numbers {
            let number = state.coming;
            state.coming += 1;
            let query = Arc::clone(query);
            state.waiting.push(Task { query, turn_number, stop: StopSignal::default(), number });
        }
        self.work.notify_all();
    }

    /// The next position, as soon as there is one; `None` if no more come.
    pub(super) fn next(&self) -> Option<Task> {
        let mut state = self.state.lock();
        loop {
            if let Some(task) = state.waiting.pop() {
                let running = (task.number, task.query.id.clone(), task.turn_number, task.stop.clone());
                state.running.push(running);
                self.room.notify_one();
                return Some(task);
            }
            if state.closed {
                return None;
            }
            self.work.wait(&mut state);
        }
    }

    /// Takes note that an answer has been found. Called before it is written, so that whoever reads the
    /// last answer of a query may use its id again.
    pub(super) fn done(&self, task: &Task) {
        let mut state = self.state.lock();
        state.running.retain(|(number, ..)| *number != task.number);
        state.forget(&task.query.id);
    }

    /// Ends the looking at positions, and returns those that nobody has begun to look at, and the number
    /// of the others.
    pub(super) fn stop(&self, which: &Selection<'_>) -> (Vec<Task>, usize) {
        let mut state = self.state.lock();
        let (ended, kept): (Vec<Task>, Vec<Task>) = std::mem::take(&mut state.waiting)
            .into_vec()
            .into_iter()
            .partition(|task| which.has(&task.query.id, task.turn_number));
        state.waiting = kept.into();
        for task in &ended {
            state.forget(&task.query.id);
        }
        let running = state.running.iter().filter(|(_, id, turn, _)| which.has(id, *turn));
        let count = running.inspect(|(.., stop)| stop.stop()).count();
        self.room.notify_all();
        (ended, count)
    }

    /// Whether no more positions are taken.
    pub(super) fn is_closed(&self) -> bool {
        self.state.lock().closed
    }

    /// No more positions come.
    pub(super) fn close(&self) {
        self.state.lock().closed = true;
        self.work.notify_all();
        self.room.notify_all();
    }
}
